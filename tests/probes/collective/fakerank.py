"""Stands for rank.py where only the parent is under test: no torch, transports that break as told.

FAKE_ROUTES: what each route does, as JSON: {"p2p": "hang", "shm": "pass", "ib": "pass", "socket": "pass"}; a
missing route is not taken. FAKE_PAIRS: device pairs whose p2p is broken (all if empty). FAKE_BAD_SETTING: a
variable that breaks everything while it is set. FAKE_DEAD: a GPU that hangs alone. FAKE_DEAF: settings are ignored.
"""

import json
import os
import sys
import time

with open(sys.argv[1]) as file:
    spec = json.load(file)
rank = int(sys.argv[2])
devices = spec["devices"] or list(range(spec["world"]))
folder = os.path.dirname(sys.argv[1])


BAD = {"count": 1, "of": 1, "first": 0, "last": 0, "want": 5.0, "got": 6.0, "zeros": 0}


def say(stage, **more):
    with open(f"{folder}/rank{rank}.jsonl", "a") as file:
        file.write(json.dumps({"stage": stage, "t": 0, **more}) + "\n")


def setting(name):
    return "" if os.environ.get("FAKE_DEAF") else os.environ.get(name, "")


def route(routes):
    if "p2p" in routes and setting("NCCL_P2P_DISABLE") != "1":
        return "p2p"
    if "shm" in routes and setting("NCCL_SHM_DISABLE") != "1":
        return "shm"
    return "ib" if "ib" in routes and setting("NCCL_IB_DISABLE") != "1" else "socket"


def log(line):
    if not os.environ.get("NCCL_DEBUG_FILE"):
        return
    with open(os.environ["NCCL_DEBUG_FILE"].replace("%h", "h").replace("%p", str(os.getpid())), "a") as file:
        file.write(f"h:1:1 [0] NCCL INFO {line}\n")


def main():
    say("start", pid=os.getpid())
    say("torch_imported", torch="2.8.0")
    routes = json.loads(os.environ.get("FAKE_ROUTES", '{"p2p": "pass", "shm": "pass", "socket": "pass"}'))
    if len(set(devices)) < len(devices):
        log("WARN Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 0")
        say("error", type="DistBackendError", message="NCCL error: invalid usage")
        return 1
    if "peers" in spec["steps"]:
        right = routes.get("p2p") == "pass"
        say("enter", op="peers", src=0, dst=1, access=True)
        say("check", op="peers", ok=right, src=0, dst=1, access=True, **({} if right else BAD))
        return 0 if right else 2
    say("device_ready", gpu=devices[0], name="Fake", arch="sm_90")
    say("enter", op="init")
    say("pg_ready", nccl="2.27.3")
    taken = route(routes)
    does = routes.get(taken, "pass")
    if spec["world"] > 1:
        via = {"p2p": "P2P/IPC", "shm": "SHM/direct/direct", "ib": "NET/IB/0", "socket": "NET/Socket/0"}[
            taken
        ]
        log(f"Channel 00/0 : 0[0] -> 1[1] via {via}")
        pairs = [set(map(int, p.split("-"))) for p in os.environ.get("FAKE_PAIRS", "").split(",") if p]
        if taken == "p2p" and pairs and not any(pair <= set(devices) for pair in pairs):
            does = "pass"
    else:
        does = "hang" if str(devices[0]) == os.environ.get("FAKE_DEAD") else "pass"
    bad_setting = os.environ.get("FAKE_BAD_SETTING")
    if bad_setting:
        does = "hang" if bad_setting in os.environ else "pass"
    say("enter", op="all_reduce", n=1)
    if does == "hang":
        time.sleep(1000)
    if does == "error":
        say("error", type="RuntimeError", message="CUDA error: an illegal memory access was encountered")
        return 1
    wrong = does == "wrong"
    say("check", op="all_reduce", n=1, ok=not wrong, **(BAD if wrong else {}))
    say("bandwidth", n=1, gbs=1.0, bus_gbs=1.0)
    say("done", wrong=int(wrong))
    return 2 if wrong else 0


sys.exit(main())
