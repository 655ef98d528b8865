import pytest

from gpudoctor.cli.main import main


@pytest.fixture
def shown(capsys):
    def call(*arguments):
        assert main([*arguments]) == 0
        return capsys.readouterr().out

    return call


def test_an_incident_with_its_rules_and_sources(shown, knowledge):
    text = " ".join(shown("explain", "iommu-translation-breaks-p2p").split())
    incident = knowledge.incident("iommu-translation-breaks-p2p")
    assert incident.title in text
    for source in incident.sources:
        assert source.url in text
    for heading in ("How it is recognised", "Symptom", "Cause", "Tell it apart", "Limits"):
        assert heading in text
    assert "proof: iommu.mode is translated and" in text


def test_a_remedy_with_commands_danger_and_undo(shown):
    text = shown("explain", "acs-redirect-off")
    assert "DANGER: " in text
    assert "setpci" in text
    assert "Undo" in text


def test_a_fact_says_how_to_find_out(shown):
    text = " ".join(shown("explain", "pcie.acs_redirect").split())
    assert "Asked as: " in text
    assert "lspci -vvv" in text


def test_a_variable_with_all_that_is_documented_of_it(shown):
    text = shown("explain", "env.NCCL_IB_GDR_LEVEL")
    for line in (
        "Documented values: LOC, PIX",
        "Read since: nccl 2.3.4",
        "Not read any more since: nccl 2.4.0",
        "Takes its place: NCCL_NET_GDR_LEVEL",
        "Role: obsolete",
    ):
        assert line in text
    assert "Default: INIT,BOOTSTRAP,ENV" in shown("explain", "env.NCCL_DEBUG_SUBSYS")
    assert "Harm with 1: " in shown("explain", "env.CUDA_LAUNCH_BLOCKING")
    assert "still read" in shown("explain", "env.NCCL_BLOCKING_WAIT")


def test_families_of_facts(shown):
    assert "text" in shown("explain", "env.SOMETHING_ELSE")


def test_search_by_an_error_line(shown):
    assert "p2p-path-broken" in shown("search", "Timed", "out", "waiting", "1800000ms", "for", "send")
    assert "gpudoctor explain p2p-path-broken" in shown("search", "p2p-path-broken").splitlines()[-1]


def test_a_search_without_hits_names_the_next_thing_to_try(capsys):
    assert main(["search", "zzzzqqqq"]) == 1
    text = " ".join(capsys.readouterr().out.split())
    assert text.startswith("Nothing in the knowledge base")
    assert "gpudoctor --report LOG" in text


@pytest.mark.parametrize(
    ("said", "id"),
    [
        ("Xid 13", "xid.13"),
        ("xid: 79", "xid.79"),
        ("SXid 20034", "sxid.20034"),
        ("NCCL_P2P_DISABLE", "env.NCCL_P2P_DISABLE"),
        ("NCCL_P2P_DISABLE=1", "env.NCCL_P2P_DISABLE"),
        ("unhandled system error", "symptom.nccl-unhandled-system-error"),
        ("pcie acs redirect", "pcie-acs-redirect"),
    ],
)
def test_what_is_meant_is_found_as_it_is_said(shown, said, id):
    assert f" {id} · " in shown("explain", *said.split())


def test_an_error_line_names_what_else_it_may_be_about(shown):
    text = shown("explain", "ncclInvalidUsage: Duplicate GPU detected : rank 1 and rank 0 both on 1b000")
    assert "It may also be about" in text
    assert "gpudoctor explain " in text


def test_a_known_issue_and_its_product(capsys):
    assert main(["explain", "nccl-2-27-3-plugin-given-as-path"]) == 0
    out = capsys.readouterr().out
    assert "known-issue nccl-2-27-3-plugin-given-as-path · NCCL 2.27.3; fixed in 2.27.5 · slow" in out
    assert "issue.nccl-2-27-3-plugin-given-as-path is yes and nccl.in_use >=2.27.3,<2.27.5" in " ".join(
        out.split()
    )
    assert main(["explain", "nccl"]) == 0
    out = capsys.readouterr().out
    assert "nccl-2-27-3-plugin-given-as-path: NCCL 2.27.3; fixed in 2.27.5." in " ".join(out.split())
    assert main(["explain", "road.hang"]) == 0


def test_an_error_line_finds_its_known_issue(capsys):
    line = (
        "NCCL INFO PROFILER/Plugin: Could not find: libnccl-profiler-./libnccl_example_profiler_plugin.so.so."
    )
    assert main(["search", line]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.split() == ["known-issue", "nccl-2-27-3-plugin-given-as-path"]


def test_titles_in_chinese(shown):
    title = "NCCL 2.17.1 有时不关闭 socket 而挂起"
    text = shown("explain", "nccl-2-17-1-socket-shutdown-hang", "--lang", "zh")
    assert text.startswith(title) and "怎样识别" in text
    assert title in shown("search", "nccl 2.17.1 socket shutdown hang", "--lang", "zh")
    assert title not in shown("search", "nccl 2.17.1 socket shutdown hang", "--lang", "en")
