"""The pretended ``torch.distributed`` of ranks that need not meet: what goes wrong goes wrong in each of them."""

import os
import pickle
import sys
import threading
import time

from ..cuda import pretended

_timeout = 600.0


def get_rank():
    return int(os.environ["RANK"])


def get_world_size():
    return int(os.environ["WORLD_SIZE"])


def is_initialized():
    return True


def destroy_process_group():
    pass


def init_process_group(backend, timeout=None, **more):
    global _timeout
    assert backend == "nccl"
    pretended.check_interface()
    _timeout = timeout.total_seconds() if timeout else _timeout
    if os.environ.get("NCCL_P2P_DISABLE") == "1" and get_world_size() > 1:
        _take_shared_memory()


def all_reduce(tensor):
    """Goes on at once; the watchdog looks after what was put into the queue."""
    left = pretended._busy_until - time.monotonic()
    if left > _timeout:
        threading.Thread(target=_watchdog, daemon=True).start()


def _take_shared_memory():
    time.sleep(2.5)  # as long as the real torch takes to be imported: gpudoctor looks once a second
    name = f"/dev/shm/nccl-{os.getpid()}"
    try:
        with open(name, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, 9637888)
    except OSError as error:
        sys.stderr.write(
            f"node1:{os.getpid()}:1 [0] misc/shmutils.cc:87 NCCL WARN Error: failed to extend {name} to 9637892 bytes, "
            f"error: {error.strerror} ({error.errno})\n"
            f"node1:{os.getpid()}:1 [0] misc/shmutils.cc:129 NCCL WARN Error while creating shared memory segment "
            f"{name} (size 9637888), error: No space left on device (28)\n"
        )
        raise RuntimeError(
            "NCCL error in: /pytorch/torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:3690, unhandled system error "
            "(run with NCCL_DEBUG=INFO for details), NCCL version 2.27.3\nncclSystemError: System call (e.g. socket, "
            "malloc) or external library call failed or device error."
        ) from None
    finally:
        os.unlink(name)


def _watchdog():
    time.sleep(_timeout)
    rank = get_rank()
    call = {
        "process_group": ("0", "default_pg"), "collective_seq_id": 6, "is_p2p": False,
        "profiling_name": "nccl:all_reduce", "state": "started", "input_sizes": [[1000]], "input_dtypes": ["Float"],
        "frames": [{"filename": "/home/a/job.py", "line": 1, "name": "watchdog"}],
    }  # fmt: skip
    place = os.environ.get("TORCH_NCCL_DEBUG_INFO_TEMP_FILE")
    if place and pretended.LIES != "no dump":
        ranks = ", ".join(map(str, range(get_world_size())))
        groups = {"0": {"name": "0", "desc": "default_pg", "ranks": f"[{ranks}]"}}
        with open(f"{place}{rank}", "wb") as file:
            pickle.dump(
                {"version": "2.10", "comm_lib_version": "2.27.3", "pg_config": groups, "entries": [call]},
                file,
            )
    sys.stderr.write(
        f"[rank{rank}]:[E1122 10:00:00.123456789 ProcessGroupNCCL.cpp:688] [Rank {rank}] Watchdog caught collective "
        "operation timeout: WorkNCCL(SeqNum=6, OpType=ALLREDUCE, NumelIn=1000, NumelOut=1000, "
        f"Timeout(ms)={_timeout * 1000:.0f}) ran for {_timeout * 1000 + 3:.0f} milliseconds before timing out.\n"
    )
    sys.stderr.flush()
    os.abort()
