"""Would these settings help? The test without and with them, in child processes."""

from __future__ import annotations

import time
from collections.abc import Mapping

from ...engine.vendors import prefixes
from .errors import CollectiveError
from .matrix import Announce, Run, TestSeries
from .nursery import Nursery
from .plan import BASELINE, Options, make_plan
from .runs import Progress
from .variants import DEFAULT, NCCL, Variant

TRY = "try"
_NCCL_ONLY = (*prefixes(whole=True), "TORCH_NCCL_")


def try_settings(
    options: Options,
    settings: Mapping[str, str | None],
    progress: Progress | None = None,
    announce: Announce | None = None,
) -> tuple[Run, Run | None]:
    """The run with the user's own settings, and, if that fails, the one with ``settings`` over them.

    Raises CollectiveError where no test can be made or the backend does not read the settings.
    """
    deadline = time.monotonic() + options.budget
    plan = make_plan(options)
    if plan.backend == "gloo" and all(name.startswith(_NCCL_ONLY) for name in settings):
        names = ", ".join(settings)
        raise CollectiveError(f"gloo does not read {names}: this needs GPUs and the backend nccl")
    if announce:
        announce(plan.words(options.budget))
    with Nursery() as nursery:
        series = TestSeries(options, plan, nursery, progress, deadline)
        without = series.variant(Variant(DEFAULT, backend=plan.backend), BASELINE)
        if not without.bad:
            return without, None
        off = tuple(o for v in NCCL if set(v.settings) <= set(settings.items()) for o in v.off)
        variant = Variant(TRY, tuple(settings.items()), off, backend=plan.backend)
        return without, series.variant(variant, BASELINE)
