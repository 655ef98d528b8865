"""Stands for rank.py of the collective test: no torch, events as the real one writes them, lies as PRETEND_LIE says.

deaf: settings are ignored; wrong: an element is wrong; shares: two ranks on one GPU are let through.
"""

import json
import os
import sys

with open(sys.argv[1]) as file:
    spec = json.load(file)
rank = int(sys.argv[2])
folder = os.path.dirname(sys.argv[1])
devices, world = spec["devices"], spec["world"]
LIE = os.environ.get("PRETEND_LIE", "")
BAD = {"count": 1, "of": 1024, "first": 7, "last": 7, "want": 5.0, "got": 6.0, "zeros": 0}
NAMES = ("NCCL_P2P_DISABLE", "NCCL_SHM_DISABLE", "NCCL_IB_DISABLE", "NCCL_NVLS_ENABLE", "NCCL_CUMEM_ENABLE",
         "NCCL_PROTO", "NCCL_SOCKET_IFNAME")  # fmt: skip
wrong = 0


def say(stage, **more):
    with open(f"{folder}/rank{rank}.jsonl", "a") as file:
        file.write(json.dumps({"stage": stage, "t": 0, **more}) + "\n")


def log(line):
    path = os.environ["NCCL_DEBUG_FILE"].replace("%h", "node1").replace("%p", str(os.getpid()))
    with open(path, "a") as file:
        file.write(f"node1:{os.getpid()}:{os.getpid()} [{rank}] NCCL {line}\n")


def check(op, good=True, **more):
    global wrong
    wrong += not good
    say("check", op=op, ok=good, ms=1.0, **more, **({} if good else BAD))


def off(name):
    return os.environ.get(name) == "1" and LIE != "deaf"


def peers():
    for source in devices:
        for target in devices:
            if source != target:
                say("enter", op="peers", src=source, dst=target, access=True)
                check("peers", src=source, dst=target, access=True)


def main():
    say("start", pid=os.getpid())
    say("torch_imported", torch="2.13.0", cuda="12.8", hip=None)
    if len(set(devices)) < len(devices) and LIE != "shares":
        say("enter", op="init")
        log("WARN Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 11000")
        say(
            "error",
            type="DistBackendError",
            message="NCCL error: invalid usage (run with NCCL_DEBUG=WARN for details)",
        )
        return 1
    if "peers" in spec["steps"]:
        peers()
        say("done", wrong=wrong)
        return 2 if wrong else 0
    say("device_ready", gpu=devices[rank], name="NVIDIA GeForce RTX 4090", arch="sm_89")
    say("enter", op="init")
    for name in NAMES:
        if name in os.environ:
            log(
                f"INFO {name} set by environment to {os.environ[name]}{'.' if os.environ[name].isdecimal() else ''}"
            )
    if world > 1:
        cumem = "P2P/IPC" if os.environ.get("NCCL_CUMEM_ENABLE") == "0" else "P2P/CUMEM"
        via = (
            cumem
            if not off("NCCL_P2P_DISABLE")
            else "SHM/direct/direct"
            if not off("NCCL_SHM_DISABLE")
            else "NET/Socket/0"
        )
        log(f"INFO Channel 00/0 : 0[0] -> 1[1] via {via}")
    say("pg_ready", nccl="2.27.3")
    if "copy" in spec["steps"]:
        check("copy", n=65536)
    for count in spec["sizes"] if "all_reduce" in spec["steps"] else ():
        say("enter", op="all_reduce", n=count)
        check("all_reduce", LIE != "wrong" or world == 1 or count != 262144, n=count)
    if "bandwidth" in spec["steps"]:
        say("bandwidth", n=4194304, gbs=100.0, bus_gbs=100.0)
    for source in range(world) if "all_gather" in spec["steps"] else ():
        check("all_gather", n=65536, src=source, dst=rank)
    for source in range(world) if "send_recv" in spec["steps"] else ():
        if source != rank:
            check("send_recv", n=65536, src=source, dst=rank)
    say("done", wrong=wrong)
    return 2 if wrong else 0


sys.exit(main())
