"""Where a thread stands: what it does there, and which line of the person's own program brought it there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gpudoctor.engine.tuples import NamedTuple

from .stacks import Frame, Thread

COLLECTIVE, BARRIER, RENDEZVOUS, DEVICE = "collective", "barrier", "rendezvous", "device"
LOADER, WORKER, LOCK, FILE_LOCK, BACKWARD = "loader", "loader_worker", "jit_lock", "file_lock", "backward"
IDLE, SHUTDOWN, OWN, ANSWER, STORE = "idle", "shutdown", "own", "answer", "store"
WAITS = (COLLECTIVE, BARRIER, RENDEZVOUS, BACKWARD, STORE)
"""Places at which a rank waits for other ranks."""
PATIENT = (*WAITS, LOADER, LOCK, FILE_LOCK, SHUTDOWN, ANSWER)
"""Places at which a rank waits for somebody, and at which a small stir of it is no progress."""

RETURNED = "main_loop"
"""The call of an idle worker of Ray."""

_LIBRARY = re.compile(r"/(?:site|dist)-packages/|/lib(?:64)?/python3[\d.]*/|^<|^\(|\.so[\d.]*$|^$|/\.cache/")
_C10D = r"torch/distributed/distributed_c10d\.py$"
_GROUPS = (
    r"init_process_group|_?new_group\w*|_store_based_barrier|\w*rendezvous\w*|_create_c10d_store"
    r"|_new_process_group_helper|split_group"
)
_AGENT = r"next_rendezvous|_rendezvous|_assign_worker_ranks|_share_and_gather|synchronize"
_SENDS = r"(?:all_|reduce|broadcast|gather|scatter|send|recv|isend|irecv|batch_isend)\w*"
_DOING = (
    # what it does; the function; the file
    (LOCK, r"wait", r"torch/utils/file_baton\.py$"),
    (FILE_LOCK, r"_?acquire|__enter__", r"(?:filelock/_\w+|portalocker/utils|fasteners/process_lock)\.py$"),
    (WORKER, r"_worker_loop", r"torch/utils/data/_utils/worker\.py$"),
    (LOADER, r"_try_get_data|_get_data|_next_data|_shutdown_workers", r"torch/utils/data/dataloader\.py$"),
    (BARRIER, r"(?:monitored_)?barrier", _C10D),
    (RENDEZVOUS, _GROUPS, r"torch/distributed/(?:distributed_c10d|rendezvous)\.py$"),
    (RENDEZVOUS, _AGENT, r"torch/distributed/elastic/.*\.py$"),
    (SHUTDOWN, r"destroy_process_group|_abort_process_group|_shutdown_process_group", _C10D),
    (
        COLLECTIVE,
        _SENDS,
        r"torch/distributed/(?:distributed_c10d|nn/functional|_functional_collectives)\.py$",
    ),
    (COLLECTIVE, r"wait", r"torch/distributed/.*\.py$"),
    (COLLECTIVE, _SENDS, r"(?:pynccl|communicator|parallel_state|cupy)\w*\.py$"),
    (RENDEZVOUS, r"(?:recv|broadcast|all_gather)_obj|barrier", r"vllm/distributed/utils\.py$"),
    (DEVICE, r"synchronize", r"torch/(?:cuda|xpu)/.*\.py$"),
    (BACKWARD, r"_engine_run_backward", r"torch/autograd/graph\.py$"),
    (ANSWER, r"get_objects|wait", r"ray/_private/worker\.py$"),
    (ANSWER, r"_read_status", r"http/client\.py$"),
    (
        IDLE,
        r"run_forever|_run_once|select|poll|serve_forever|main_loop",
        r"(?:asyncio/\w+|selectors|socketserver|ray/_private/worker)\.py$",
    ),
)
_EVALUATES = (
    r"(?:run_)?(?:validate|validation|evaluate|evaluation|eval)(?:_(?:epoch|loop|step|model|\w*set))?"
    r"|(?:evaluate|validate)_\w+"
)
_PREPARES = r"_?tokenize\w*|preprocess\w*|prepare_data\w*|pack_dataset\w*|download\w*|snapshot_download|hf_hub_download"
_SYNCS_WEIGHTS = (
    r"_?(?:broadcast_to_(?:vllm|engines?|sglang)|broadcast_(?:weights?|params?|to_rollout)\w*|update_named_params?"
    r"|(?:update|sync|send|push|transfer)_(?:\w+_)?weights?(?:_(?:to|from|async|by)_\w+|_async)?|move_model_to_vllm"
    r"|update_model_params"
    r"|init_communicator|init_weights?_update_group|init_process_group_for_weight\w*)"
)
_COMPILES = r"torch/(?:_inductor|_dynamo|_functorch/_aot_autograd|utils/cpp_extension)(?:/.*)?(?:\.py)?$"
_SECTIONS = (
    # the part of the program; the function; the file
    ("weight_sync", _SYNCS_WEIGHTS, r""),
    ("saving", r"_?(?:async_)?save(?:_checkpoint|_pretrained|_model|_state)?", r""),
    ("validation", _EVALUATES, r""),
    ("generation", r"generate|_sample|_beam_search", r"(?:generation|rollout|model)\w*(?:/\w+)?\.py$"),
    ("preparation", _PREPARES, r""),
    ("preparation", r"map|filter|_map_single|load_dataset|download_and_prepare", r"datasets/\w+\.py$"),
    ("compilation", r".*", _COMPILES),
    ("compilation", r".*", r"triton/compiler/.*\.py$"),
    ("import", r"_find_and_load|_load_unlocked", r"^<frozen importlib"),
)
_COMPILED = tuple((kind, re.compile(name), re.compile(file)) for kind, name, file in _DOING)
_PARTS = tuple((kind, re.compile(name), re.compile(file)) for kind, name, file in _SECTIONS)


class Place(NamedTuple):
    """``doing`` is one of this module's words, ``call`` the function that says so, ``section`` the part of the
    program (``validation``, ``saving`` ..., or nothing), ``file`` and ``line`` the innermost own line."""

    doing: str
    call: str
    section: str
    file: str
    line: int

    @property
    def where(self) -> str:
        """The line for people; nothing where no line is the person's own."""
        return f"{self.file.rpartition('/')[2]}:{self.line}" if self.file else ""

    @property
    def words(self) -> str:
        """What it does there, in words."""
        at = f" at {self.where}" if self.where else ""
        said = _WORDS.get(self.doing, "")
        part = f" ({self.section})" if self.section and self.doing != OWN else ""
        if self.doing in (COLLECTIVE, BARRIER):
            return f"in {self.call}{at}{part}"
        if self.doing == OWN:
            return f"in {self.section or self.call or 'code of its own'}{at}"
        return f"{said}{at}{part}"


_WORDS = {
    RENDEZVOUS: "in the rendezvous",
    DEVICE: "waiting for its GPU",
    LOADER: "waiting for the data loader",
    WORKER: "as a worker of the data loader",
    LOCK: "waiting for the lock file of a JIT build",
    FILE_LOCK: "waiting for a file lock",
    BACKWARD: "in backward",
    IDLE: "waiting for work",
    ANSWER: "waiting for the answer of another process",
    STORE: "waiting for a key of the store",
    SHUTDOWN: "taking its process group down",
}


_PARKED = re.compile(r"/(?:threading|queue|selectors)\.py$|/concurrent/futures/|/asyncio/|/ray/")


def telling(threads: Sequence[Thread]) -> Thread | None:
    """The thread that says where a process stands: its main thread, unless that only waits for another one.

    Ray Train runs the person's function in a thread beside the main one, and so do threaded actors.
    """
    main = next(
        (thread for thread in threads if thread.name == "MainThread"), threads[-1] if threads else None
    )
    if main is None or not main.frames or not _PARKED.search(main.frames[0].file):
        return main
    if place(main.frames).doing in (*WAITS, LOADER, LOCK, FILE_LOCK, SHUTDOWN):
        return main
    others = [thread for thread in threads if thread is not main and own_frames(thread.frames)]
    waiting = (thread for thread in others if place(thread.frames).doing in WAITS)
    return next(waiting, main if own_frames(main.frames) else next(iter(others), main))


_SERVES = ("serve_forever", "run_forever", "_run_once")


def serves(threads: Sequence[Thread]) -> str:
    """The call in which a process waits for requests whose main thread only waits for the others; or nothing."""
    main = telling(threads)
    if main is None or not main.frames or not _PARKED.search(main.frames[0].file):
        return ""
    waiting = (t for t in threads if t is not main and place(t.frames).doing == IDLE)
    return next((name for t in waiting for frame in t.frames if (name := _bare(frame)) in _SERVES), "")


def place(frames: Sequence[Frame]) -> Place:
    """Where a thread stands whose calls these are, innermost first."""
    doing, call, at = _doing(frames)
    # A worker of a loader was started by the program; what it does there stands further in.
    own = next(
        (frame for frame in frames[0 if doing == WORKER else at :] if not is_library(frame.file)), None
    )
    section = next(
        (
            kind
            for frame in frames
            for kind, name, file in _PARTS
            if name.fullmatch(_bare(frame)) and file.search(frame.file)
        ),
        "",
    )
    return Place(doing, call, section, own.file if own else "", own.line if own else 0)


def _doing(frames: Sequence[Frame]) -> tuple[str, str, int]:
    idle = (OWN, "", 0)
    for number, frame in enumerate(frames):
        for kind, name, file in _COMPILED:
            if name.fullmatch(_bare(frame)) and file.search(frame.file):
                if kind != IDLE:
                    return kind, _bare(frame), number
                idle = (kind, _bare(frame), number) if idle[0] == OWN else idle
    if idle[0] == IDLE:
        return idle
    return OWN, _bare(frames[0]) if frames else "", 0


def innermost_of(frames: Sequence[Frame]) -> int:
    """The number of the frame that says what a thread does."""
    return _doing(frames)[2]


def _bare(frame: Frame) -> str:
    """The name of a function without its class."""
    return frame.name.rpartition(".")[2]


def is_library(file: str) -> bool:
    """Whether a file is part of Python or of an installed package."""
    return bool(_LIBRARY.search(file))


def own_frames(frames: Sequence[Frame]) -> list[Frame]:
    """The calls of the person's own program, outermost first."""
    return [frame for frame in reversed(frames) if not is_library(frame.file)]
