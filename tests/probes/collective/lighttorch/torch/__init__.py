"""As much of torch as listing GPUs takes: FAKE_GPUS of them."""

import os
from types import SimpleNamespace

cuda = SimpleNamespace(
    device_count=lambda: int(os.environ["FAKE_GPUS"]),
    is_available=lambda: True,
    get_device_properties=lambda index: SimpleNamespace(name="Fake", uuid=f"fake-{index}"),
)
