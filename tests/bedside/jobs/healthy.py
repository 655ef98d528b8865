"""Jobs in which nothing is wrong, and which look as if they were: ``healthy.py KIND SECONDS``."""

import http.server
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import torch
import torch.distributed as dist

kind, seconds = sys.argv[1], float(sys.argv[2])


def compute(until):
    score = torch.zeros(1)
    while time.monotonic() < until:
        score += torch.randn(100, 100).matmul(torch.randn(100, 100)).mean()
    return score


def evaluate(until):
    return compute(until)


def save_checkpoint(until, folder):
    while time.monotonic() < until:
        torch.save({"weights": torch.ones(2 << 20)}, os.path.join(folder, "checkpoint.pt"))
        time.sleep(0.3)


def serve(until):
    """An idle server; its other ranks wait for work that rank 0 sends once in a while."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    while time.monotonic() < until:
        thread.join(0.05)
    server.shutdown()


until = time.monotonic() + seconds
if kind == "start":
    compute(until)  # weights are read and prepared before anybody speaks to anybody
dist.init_process_group("gloo")
rank = dist.get_rank()
step = torch.ones(1000)
for _ in range(5):
    dist.all_reduce(step)
if kind == "compile" and rank == 0:
    source = "while sleep 0.2; do expr 1 + 1 >/dev/null; done"
    subprocess.run(["timeout", str(seconds), "sh", "-c", source], check=False)
if kind == "checkpoint" and rank == 0:
    with tempfile.TemporaryDirectory() as folder:
        save_checkpoint(until, folder)
if kind == "evaluation":
    evaluate(until if rank == 0 else time.monotonic() + 1)
if kind == "server" and rank == 0:
    serve(until)
if kind == "bursts":
    while time.monotonic() < until:
        compute(time.monotonic() + seconds / 4)
        for line in range(200):
            print("line", line, rank, flush=True)
        dist.all_reduce(step)
if kind == "download" and rank == 0:

    class Slow(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            while time.monotonic() < until:
                self.wfile.write(b"x" * 1000)
                time.sleep(1)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/").read()
dist.barrier()
print("done", flush=True)
