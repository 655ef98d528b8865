"""Whether a text is somebody's, by its small words."""

from pathlib import Path

import pytest
import yaml

from gpudoctor.engine.language.small import is_prose

THREADS = Path(__file__).resolve().parents[2] / "benchmarks" / "threads"


def each_once(text: str) -> str:
    return " ".join(dict.fromkeys(text.split()))


@pytest.mark.parametrize(
    "text",
    [
        "On the cluster the job starts, but after the first step it does not go on and there is no error at all.",
        "Only one of the four cards is used, and the other three are idle while the server is up.",
        "训练一直挂着，显存和使用率都是满的",
    ],
)
def test_what_somebody_tells(text):
    assert is_prose(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read",
        "INFO 07-01 12:00:00 [parallel_state.py:1065] rank 0 in world size 8 is assigned as DP rank 0, TP rank 0",
        "GPU0 GPU1 CPU Affinity NUMA Affinity\nGPU0 X NV18 0-63 0\nGPU1 NV18 X 0-63 0",
    ],
)
def test_what_a_program_prints(text):
    assert not is_prose(each_once(text))


def test_most_reports_of_persons_are_told_from_their_logs():
    """Each thread begins with what somebody pasted; four in five tell something beside the log."""
    reports = [yaml.safe_load(path.read_text())["report"] for path in sorted(THREADS.glob("*.yaml"))]
    assert sum(is_prose(each_once(report)) for report in reports) > 0.75 * len(reports)
