import os

import pytest

from gpudoctor.engine import Knowledge, KnowledgeError
from gpudoctor.engine.knowledge import compiler, indexing
from gpudoctor.engine.knowledge.index import PACKAGED, cached_index, packaged_index

from .smallkb import incident, small_knowledge


def test_records_come_out_of_the_index_as_they_went_in(small_kb):
    folder = small_kb(small_knowledge())
    records = compiler.read_folder(str(folder))
    knowledge = Knowledge.load(folder, built_in=False)
    assert knowledge.version == "1.2"
    assert {i: knowledge.incident(i) for i in knowledge.incident_ids} == records.incidents
    assert {r: knowledge.remedy(r) for r in knowledge.remedy_ids} == records.remedies
    assert {f.name: f for f in knowledge.facts()} == records.facts
    assert knowledge.program == compiler.program_of(records, knowledge.vocabulary.spec)


def test_steps_and_variants_are_read_from_the_body(small_kb):
    remedy = Knowledge.load(small_kb(small_knowledge()), built_in=False).remedy("turn-it-off")
    assert remedy.steps[""][0].text == "Set the variable."
    assert remedy.steps[""][0].commands == ("export NCCL_P2P_DISABLE=1",)
    assert remedy.steps["docker"][0].commands == ("docker run -e NCCL_P2P_DISABLE=1 IMAGE",)
    assert remedy.verify[0].commands == ("env | grep NCCL",)
    assert remedy.undo[0].text == "Unset it."


def test_nothing_is_parsed_when_nothing_changed(small_kb, monkeypatch):
    folder = small_kb(small_knowledge())
    Knowledge.load(folder, built_in=False)
    monkeypatch.setattr(compiler, "build_index", lambda folder: pytest.fail("compiled again"))
    assert Knowledge.load(folder, built_in=False).incident_ids == ["bad-guest", "broken-part"]


@pytest.mark.parametrize("change", ["edit", "add", "remove", "same size"])
def test_a_changed_file_is_noticed(small_kb, change):
    folder = small_kb(small_knowledge())
    Knowledge.load(folder, built_in=False)
    path = folder / "incidents" / "broken-part.md"
    if change == "edit":
        path.write_text(path.read_text().replace("A fault called broken-part", "Another title"))
    elif change == "same size":
        before = path.stat()
        path.write_text(path.read_text().replace("A fault", "B fault"))
        assert path.stat().st_size == before.st_size
    elif change == "add":
        name, text = incident("third", "suggests:\n  - weak: {part.broken: true}\n")
        (folder / name).write_text(text)
    else:
        path.unlink()
    knowledge = Knowledge.load(folder, built_in=False)
    titles = {i: knowledge.incident(i).title for i in knowledge.incident_ids}
    assert titles != {"bad-guest": "A fault called bad-guest", "broken-part": "A fault called broken-part"}


def test_a_packaged_index_is_used_only_if_it_fits_its_files(small_kb):
    folder = small_kb(small_knowledge())
    (folder / PACKAGED).write_bytes(compiler.build_index(str(folder)))
    assert packaged_index(str(folder)).part("files") == indexing.content_digests(str(folder))
    Knowledge.load(folder, built_in=False)
    assert cached_index(str(folder)) is not None
    path = folder / "incidents" / "broken-part.md"
    changed = path.read_text().replace("A fault called", "The fault called")
    path.unlink()  # as package managers do it: what is installed is replaced
    path.write_text(changed)
    assert Knowledge.load(folder, built_in=False).incident("broken-part").title.startswith("The fault")


@pytest.mark.parametrize("spoiled", [b"", b"{}\n", b"[1]\n{}\n", b"\xff\xfe\n\n", "cut", "another"])
def test_a_spoiled_cache_is_made_again(small_kb, spoiled):
    from gpudoctor.engine.knowledge.index import cache_file

    folder = small_kb(small_knowledge())
    Knowledge.load(folder, built_in=False)
    path = cache_file(str(folder))
    with open(path, "rb") as file:
        whole = file.read()
    if spoiled == "cut":
        spoiled = whole[:-9]
    elif spoiled == "another":
        spoiled = whole.replace(b'{"format":', b'{"format":9', 1)
    with open(path, "wb") as file:
        file.write(spoiled)
    assert len(Knowledge.load(folder, built_in=False).incident_ids) == 2


def test_without_a_home_there_is_no_cache(small_kb, monkeypatch):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME")
    folder = small_kb(small_knowledge())
    assert len(Knowledge.load(folder, built_in=False).incident_ids) == 2
    assert cached_index(str(folder)) is None


def test_a_cache_that_cannot_be_written_is_no_error(small_kb, monkeypatch, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert len(Knowledge.load(small_kb(small_knowledge()), built_in=False).incident_ids) == 2


def test_overlays_add_and_replace(small_kb):
    base = small_kb(small_knowledge())
    name, text = incident("third", "suggests:\n  - strong: {part.broken: true}\n")
    changed = small_knowledge()["incidents/broken-part.md"].replace("A fault called", "My fault called")
    overlay = small_kb({name: text, "incidents/broken-part.md": changed}, "overlay")
    knowledge = Knowledge.load(base, overlay, built_in=False)
    assert knowledge.incident_ids == ["bad-guest", "broken-part", "third"]
    assert knowledge.incident("broken-part").title == "My fault called broken-part"
    assert knowledge.digest != Knowledge.load(base, built_in=False).digest
    assert knowledge.search("third")[0].id == "third"
    assert os.path.samefile(knowledge.file("incidents/third.md"), overlay / "incidents" / "third.md")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "there is no such folder"),
        ({"other/x.md": "x"}, "this is no knowledge base"),
        (
            {"facts/a.md": "---\nid: a\n---\n# \x1b[2Jx\n"},
            r"kb/facts/a.md:4: a character that no text needs: '\x1b'",
        ),
        ({"facts/a.md": "no head"}, "kb/facts/a.md:1: the file must begin with a YAML head"),
        ({"facts/a.md": "---\nid: b\n---\n"}, 'kb/facts/a.md:2: "id" must be the name of the file, a'),
        (
            {"facts/a.md": "---\nid: a\ntype: bol\n---\n"},
            'kb/facts/a.md:3: "type" must be one of bool, int, version, choice, text, not "bol"',
        ),
        (
            {"facts/a.md": "---\nid: a\ntype: bool\ntitle: t\nquestoin: q\n---\n"},
            'kb/facts/a.md:5: "questoin" is not a key of this format; did you mean "question"?',
        ),
        (
            {"facts/a.md": "---\nid: a\ntype: int\ntitle: t\nkeep: any\n---\n"},
            'kb/facts/a.md:5: keep: any is for true and false; give an order with "worst"',
        ),
        (
            {"facts/a.md": "---\nid: a\ntype: int\ntitle: t\nkeep: worst\n---\n"},
            'kb/facts/a.md:5: "worst_first" goes with keep: worst, and only with it',
        ),
        (
            {
                "facts/a.md": "---\nid: a\ntype: choice\nvalues: [x, y]\ntitle: t\n"
                "keep: worst\nworst_first: [x]\n---\n"
            },
            'kb/facts/a.md:7: "worst_first" must name each of x, y once',
        ),
        (
            {
                "facts/a.md": "---\nid: a\ntype: bool\ntitle: t\nderived:\n"
                "  - value: x\n    when: {b: true}\n---\n"
            },
            'kb/facts/a.md:7: there is no fact "b"',
        ),
    ],
)
def test_what_breaks_the_format_is_said_with_its_place(small_kb, tmp_path, files, message):
    folder = small_kb(files) if files else tmp_path / "kb"
    with pytest.raises(KnowledgeError) as error:
        Knowledge.load(folder, built_in=False)
    assert message in str(error.value)


def test_derived_facts_must_not_go_in_a_circle(small_kb):
    files = {
        f"facts/{one}.md": f"---\nid: {one}\ntype: bool\ntitle: t\nderived:\n"
        f'  - value: "true"\n    when: {{{other}: true}}\n---\n'
        for one, other in (("a", "b"), ("b", "c"), ("c", "a"))
    }
    with pytest.raises(KnowledgeError, match="derived facts go in a circle"):
        Knowledge.load(small_kb(files), built_in=False)


def test_unknown_ids(knowledge):
    with pytest.raises(KnowledgeError, match='there is no incident "nothing"'):
        knowledge.incident("nothing")


def test_a_page_that_is_laid_over_unchanged_weighs_the_same(small_kb):
    files = small_knowledge()
    base = small_kb(files)
    alone = Knowledge.load(base, built_in=False)
    name = "incidents/broken-part.md"
    over = Knowledge.load(
        base, *(small_kb({name: files[name]}, f"overlay{n}") for n in range(3)), built_in=False
    )
    words = ["broken", "part", "stops", "guest"]
    scores = [
        # a layer is measured by the average length of its own pages, which is nearly that of the base's
        {one.id: pytest.approx(one.score, rel=1e-3) for one in knowledge.resemblance.nearest(words).listed}
        for knowledge in (alone, over)
    ]
    assert scores[0] == scores[1] and len(scores[0]) == 2
    assert alone.concerns.size == over.concerns.size == 2
    assert alone.concerns.rarity("part.broken") == over.concerns.rarity("part.broken")


def test_what_is_edited_while_the_index_is_made_is_seen_by_the_next_run(small_kb, monkeypatch):
    from gpudoctor.engine.knowledge import compiler

    base = small_kb(small_knowledge())
    page = base / "incidents" / "broken-part.md"
    made = compiler.build_index

    def edited(folder):
        data = made(folder)
        page.write_text(page.read_text().replace("A fault called", "An edited fault called"))
        return data

    with monkeypatch.context() as patched:
        patched.setattr(compiler, "build_index", edited)
        Knowledge.load(base, built_in=False)
    assert Knowledge.load(base, built_in=False).incident("broken-part").title.startswith("An edited")
