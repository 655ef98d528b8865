"""NCCL's RAS port is asked of the job that is looked at, and of no other."""

import subprocess
import sys

import pytest

from gpudoctor.probes.bedside.ras import ask, status

ANSWERS = """
import socket, sys
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
server.bind(("127.0.0.1", int(sys.argv[1])))
server.listen()
print(server.getsockname()[1], flush=True)
while True:
    connection, _ = server.accept()
    connection.sendall(connection.recv(100).upper())
    connection.close()
"""


@pytest.fixture
def answering():
    """A function that starts a process which listens as RAS does, and returns it with its port."""
    started = []

    def start(port=0, said=None):
        environment = {"NCCL_RAS_ADDR": f"127.0.0.1:{said}"} if said else {}
        started.append(
            subprocess.Popen(
                [sys.executable, "-c", ANSWERS, str(port)],
                env=environment, stdout=subprocess.PIPE, text=True,
            )
        )  # fmt: skip
        return started[-1], int(started[-1].stdout.readline())

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_the_job_that_listens_is_asked_and_no_job_of_somebody_else(answering):
    _, port = answering()
    ours, _ = answering(port, said=port)
    other, _ = answering(port, said=port)
    assert status([ours.pid]) == b"", "others listen there too, and whoever takes the connection answers"
    assert status([other.pid]) == b""


def test_all_ranks_of_a_job_may_listen(answering):
    probe, port = answering()
    probe.kill()
    probe.wait()
    ranks = [answering(port, said=port)[0].pid for _ in range(2)]
    assert status(ranks) == b"VERBOSE STATUS\n"
    assert status([ranks[0]]) == b""
    assert status([*ranks, probe.pid]) == b"VERBOSE STATUS\n", "one has ended"


def test_nobody_listens(answering):
    ours, port = answering(said=1)
    assert status([ours.pid]) == b""
    assert status([]) == status([2**22 + 1]) == b""
    assert ask(f"127.0.0.1:{port}") == b"VERBOSE STATUS\n"


def test_a_port_on_which_nobody_answers():
    assert ask("localhost:1", 1.0) == b"" and ask("not:a:port", 1.0) == b""
