"""A torchrun for ranks that take no seconds to start: as many, with the same variables, and the same last words."""

import os
import subprocess
import sys
import time


def main():
    count, script = int(sys.argv[2]), sys.argv[3:]
    ranks = []
    for rank in range(count):
        own = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": count, "LOCAL_WORLD_SIZE": count}
        env = {**os.environ, **{name: str(value) for name, value in own.items()}}
        ranks.append(subprocess.Popen([sys.executable, "-W", "ignore", *script], env=env))
    while True:
        codes = [rank.poll() for rank in ranks]
        bad = next((rank for rank, code in enumerate(codes) if code), None)
        if bad is not None or None not in codes:
            break
        time.sleep(0.02)
    if bad is None:
        return 0
    for rank in ranks:
        rank.kill()
        rank.wait()
    code, pid = codes[bad], ranks[bad].pid
    words = (
        f"Signal {-code} (SIG{ {6: 'ABRT', 9: 'KILL'}.get(-code, '?') }) received by PID {pid}"
        if code < 0
        else ""
    )
    sys.stderr.write(
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError:\n"
        f"Root Cause (first observed failure):\n[0]:\n  rank      : {bad} (local_rank: {bad})\n"
        f"  exitcode  : {code} (pid: {pid})\n  traceback : {words}\n"
    )
    return 1


sys.exit(main())
