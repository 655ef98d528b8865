"""What mutated inputs have brought to light, each as a test."""

from __future__ import annotations

import random
import time

import pytest

from gpudoctor.cli.errors import UsageError
from gpudoctor.cli.inputs.hostfile import read_hosts
from gpudoctor.engine import EngineError, Session
from gpudoctor.engine.facts import Fact, Origin
from gpudoctor.engine.facts.factsfile import read_any
from gpudoctor.engine.facts.nodefacts import NodeFactsReader
from gpudoctor.engine.facts.yamltext import read_yaml
from gpudoctor.engine.redaction import redact
from gpudoctor.engine.session.sessionfile import read
from gpudoctor.probes.parsers import PARSERS
from gpudoctor.probes.parsers.listings import listings
from gpudoctor.probes.report import Reader

from ..fuzz import seeds
from ..fuzz.__main__ import run
from ..fuzz.targets import targets


@pytest.mark.parametrize(
    "text", ["nccl.version: 2." + "9" * 5000, "g" + "9" * 5000 + ": 1", "gpu.vendor: " + "x" * 9000]
)
def test_an_error_does_not_quote_a_value_of_any_size(knowledge, text):
    type_of = knowledge.vocabulary.spec
    with pytest.raises(EngineError) as caught:
        read_any(text, "x.yaml", NodeFactsReader(type_of), type_of)
    assert len(str(caught.value)) < 700


def test_an_error_is_one_line_whatever_it_quotes(knowledge):
    type_of = knowledge.vocabulary.spec
    with pytest.raises(EngineError) as caught:
        read_any('{gpu.vendor: "nvid\n\n\nDIAGNOSED"}', "x.yaml", NodeFactsReader(type_of), type_of)
    assert "\n" not in str(caught.value)


def test_a_place_of_five_thousand_digits(knowledge):
    session = Session(knowledge)
    for where in ("x:" + "9" * 5000, "x:1"):
        session.add(Fact("gpu.vendor", "amd", Origin("report", where)))
    assert session.value("gpu.vendor") == "amd"
    entry = f"{{fact: gpu.count, value: 2, by: report, where: '{'1' * 5000}'}}"
    text = f"schema: gpudoctor/session/1\nstatements:\n- {entry}\n"
    assert read(knowledge, text, "s.yaml", "reference").session.value("gpu.count") == 2


def test_a_few_hundred_mutations_of_everything_that_is_read(knowledge):
    done, broken = run(targets(knowledge), 3000, seed=random.Random().randrange(1 << 30))
    assert not broken, broken
    assert len(done) == len(targets(knowledge))


def test_every_parser_has_a_seed_that_it_reads(knowledge):
    for parser in [*PARSERS, listings(knowledge.packages())]:
        windows = seeds.of_parser(parser)
        assert any(list(parser.parse(window, at)) for window, at in windows), parser.name


@pytest.mark.parametrize(
    "trigger", ["HSA Agents", "Attached GPUs", "GPU[0]", "GPU0\t", "between DRM devices 0 and 1"]
)
def test_a_text_of_nothing_but_calls_of_a_parser(knowledge, trigger):
    text = "".join(f"{trigger} {number}\n" for number in range(8000)).encode()
    began = time.process_time()
    list(Reader(knowledge).read([text], "x.log"))
    assert time.process_time() - began < 5  # it took half a minute and more


def test_a_flood_is_judged_by_its_shape_and_a_person_behind_it_by_his_words(knowledge):
    flood = "".join(f"NVRM: Xid (PCI:0000:{n % 90 + 10}:00): 31, pid={n}, name=x\n" for n in range(6000))
    said = (
        "\nWe do NOT see this on our machine: NVRM: Xid (PCI:0000:9c:00): 79, GPU has fallen off the bus.\n"
    )
    names = {f.name for f in Reader(knowledge).read([(flood + said).encode()], "x.log")}
    assert "xid.31" in names and "xid.79" not in names
    quoted = "".join(f"> {line}\n" for line in flood.splitlines())
    head = "On another cluster they got:\n"
    found = Reader(knowledge).read([(head + quoted).encode()], "x.log")
    assert "xid.31" not in {f.name for f in found}


def test_an_error_of_a_host_file_quotes_little_and_harmless(tmp_path):
    for text in ("a\nb" + "=" * 9000, "a\n\x1b]0;x\x07b"):
        with pytest.raises(UsageError) as caught:
            read_hosts(text, "hosts")
        assert len(str(caught.value)) < 200 and "\x1b" not in str(caught.value)


def test_too_many_values_are_refused_before_they_are_made(knowledge):
    began = time.process_time()
    with pytest.raises(EngineError, match="too many values"):
        read_yaml("a: 1\n" * 200_000, "x.yaml")
    assert time.process_time() - began < 4


def test_hiding_twice_hides_nothing_more():
    for text in (
        "password \"=> 'Zq9'w'",
        "wandb_run_id_of_the_job --token -Zq7pLaNtEdX9w",
        "nt_queryqueryqueryqueryEdX9wB2cZq-apikey q",
        '{"kty":"RSA","d":"Zq7pLaNtEdX9RSA","n":"x","d":"Zq7pLaNtEdX9wB2c"}',
        "amqp://u:" + "Zq7pLaNtwNtEdX9X9" * 18 + "\ufffd" + "Zq7pLaNtwNtEdX9X9" * 3 + "@mq:5672",
    ):
        assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize("word", ["unlimited", "unlimIted", "UNLIMITED", "unl\u0130mited"])
def test_a_limit_that_is_none_in_whatever_case(reader, word):
    facts = {f.name: f.value for f in reader.read([f"open files  (-n) {word}".encode()], "x")}
    assert facts["limit.nofile"] == -1


def test_a_quote_left_open_before_what_is_hidden_stays_where_it_is():
    text = 'password: \n  "hunter2hunter2\n  "h\nhunter2'
    assert redact(redact(text)) == redact(text) and "hunter2hunter2" not in redact(text)


def test_what_one_rule_hides_and_what_another_does_then_is_hidden_at_once():
    text = "https://hooks.slack.com/trigger\u0663s/T01/1/Zq7pLaNtEdX9w\ntoken = hunter2hunter2"
    assert redact(redact(text)) == redact(text)


def test_what_another_form_shows_is_looked_at_once_more():
    text = "-1hadoop.security.credentiac.clear-text-password=Zq\u00b2pLaNtEdX9w\n  X "
    assert redact(redact(text)) == redact(text)


def test_every_value_of_a_document_that_a_store_prints_is_hidden_at_once():
    text = "az keyvault secret show\n" + '"value": "hunter2"\n' * 9
    assert redact(redact(text)) == redact(text) and "hunter2" not in redact(text)


def test_what_one_form_shows_is_looked_at_in_the_others_too():
    text = "passwd%22%3A%%22pass\u202ewd%3A22"
    assert redact(redact(text)) == redact(text)
