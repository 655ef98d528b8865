from gpudoctor.engine.knowledge.search import tokens


def test_tokens_on_three_levels():
    found = tokens("env.NCCL_IB_GID_INDEX=1")
    assert {"env.nccl_ib_gid_index=1", "nccl_ib_gid_index", "gid", "index"} <= set(found)


def test_chinese_by_pairs():
    assert "卡住" in tokens("启动卡住")


def test_an_error_line_finds_its_incident(knowledge):
    hits = knowledge.search("IndexError: tuple index out of range default_generators", ["incident"])
    assert "ray-rocm-visible-devices" in [hit.id for hit in hits[:3]]


def test_nothing_is_found_for_nothing(knowledge):
    assert knowledge.search("") == []
    assert knowledge.search("qqqqzzzz") == []
