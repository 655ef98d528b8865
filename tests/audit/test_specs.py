"""Specs of every kind: quiet on what is sound, and exact in what is wrong and on which line."""

import re
from pathlib import Path

import pytest

from gpudoctor.cli.main import main

SPECS = Path(__file__).parent / "specs"
_EXPECTED = re.compile(r"# finds: (.+)")


def found_in(path, capsys, *options):
    import json

    status = main(["audit", str(path), "--format", "json", *options])
    document = json.loads(capsys.readouterr().out)
    return status, document


@pytest.mark.parametrize("path", sorted((SPECS / "sound").iterdir()), ids=lambda p: p.name)
def test_nothing_is_found_in_sound_specs(path, capsys):
    status, document = found_in(path, capsys)
    assert document["findings"] == []
    assert status == (0 if document["verdict"] == "nothing found" else 3)


@pytest.mark.parametrize("path", sorted((SPECS / "wrong").iterdir()), ids=lambda p: p.name)
def test_what_is_wrong_is_found_on_its_line(path, capsys):
    expected = _EXPECTED.search(path.read_text())[1].split()
    status, document = found_in(path, capsys)
    found = {f"{f['id']}@{f['where'].rpartition(':')[2]}" for f in document["findings"]}
    assert found == set(expected)
    assert status == 1
    for finding in document["findings"]:
        assert finding["where"].startswith(str(path)) and finding["fix"] and finding["what"]
        assert finding["kind"] == "setting" or (finding["sources"] and finding["leads_to"])


def test_every_pitfall_of_specs_is_tested(knowledge):
    tested = {word.partition("@")[0] for p in (SPECS / "wrong").iterdir() for word in p.read_text().split()}
    untested = {n for n in knowledge.pitfall_ids if knowledge.pitfall(n).subject != "stack"} - tested
    # Found in facts of a machine, or told apart by facts that no file of this folder has.
    assert untested <= {
        "p2p-off-on-nvlink", "kfd-without-dri", "gpu-resource-missing", "mask-beside-gres",
        "infiniband-off-beside-devices",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hello world\n", "this is no spec that is known"),
        ("", "the file is empty"),
        (
            "apiVersion: v1\nkind: Pod\nspec:\n{{- with .Values }}\n  x: 1\n{{- end }}\n",
            "helm template CHART",
        ),
        ('apiVersion: v1\nkind: Pod\nmetadata: {name: "{{ .Release.Name }}"}\n', "helm template CHART"),
        ("apiVersion: v1\nkind: [\n", "this is not YAML"),
    ],
)
def test_bad_input_is_one_sentence_with_its_place(tmp_path, capsys, text, sentence):
    path = tmp_path / "spec"
    path.write_text(text)
    assert main(["audit", str(path)]) == 2
    error = capsys.readouterr().err
    assert sentence in error and str(path) in error and error.count("\n") == 1


@pytest.mark.parametrize("name", ["Chart.yaml", "values.yaml", "values-two-gpus.yaml"])
def test_a_part_of_a_chart_is_refused_with_what_to_do(tmp_path, capsys, name):
    path = tmp_path / name
    path.write_text("apiVersion: v2\nname: serve\nimage:\n  tag: v0.10.0\n")
    assert main(["audit", str(path)]) == 2
    assert "helm template CHART | gpudoctor audit -" in capsys.readouterr().err


POD = """apiVersion: v1
kind: Pod
spec:
  containers:
    - name: rank
      image: vllm/vllm-openai:v0.10.0
      command: [vllm, serve, model, --tensor-parallel-size, "4"{more}]
      resources: {{limits: {{{device}}}}}
"""


@pytest.mark.parametrize(
    ("device", "more", "found"),
    [
        ("nvidia.com/gpu: 4", "", True),
        ("nvidia.com/gpu: 1", ", --distributed-executor-backend, ray", False),
        ("aws.amazon.com/neuron: 16", "", False),
    ],
)
def test_shared_memory_matters_where_several_gpus_share_it(tmp_path, capsys, device, more, found):
    path = tmp_path / "pod.yaml"
    path.write_text(POD.format(device=device, more=more))
    main(["audit", str(path)])
    assert ("shm-left-at-default" in capsys.readouterr().out) is found


def test_a_manifest_with_braces_of_another_program_is_read(tmp_path, capsys):
    path = tmp_path / "workflow.yaml"
    path.write_text(POD.format(device="nvidia.com/gpu: 4", more=', "{{inputs.parameters.more}}"'))
    assert main(["audit", str(path)]) == 1
    assert "shm-left-at-default" in capsys.readouterr().out


@pytest.mark.parametrize(
    "part",
    [
        "volumes: [{name: {a: b}}, x]",
        "replicas: [1]",
        "resources: []",
        "env: {a: b}",
        "volumeMounts: [{mountPath: 3}]",
    ],
)
def test_manifests_of_a_wrong_shape_are_read_as_far_as_they_go(part):
    from gpudoctor.probes.specs import read_spec

    text = f"""apiVersion: v1
kind: MPIJob
spec:
  mpiReplicaSpecs:
    Worker:
      {part if part.startswith("replicas") else "replicas: 1"}
      template:
        spec:
          {part if part.startswith("volumes") else "volumes: []"}
          containers:
            - name: one
              image: none
              volumeMounts: [{{name: {{a: b}}, mountPath: /dev/shm}}]
              securityContext: [x]
"""
    if part.startswith(("resources", "env")):
        text += f"              {part}\n"
    (launch,) = read_spec(text, "job.yaml", {}).launches
    assert launch.name == "one"


PLAIN = "docker run --gpus all --ipc=host vllm/vllm-openai:v0.15.0 --model m --tensor-parallel-size 8"
CONNECTOR = "vllm-connector-refuses-hybrid-cache"


@pytest.mark.parametrize(
    ("more", "judged"),
    [
        ("", "ruled out"),
        (""" --kv-transfer-config '{"kv_connector":"NixlConnector","kv_role":"kv_both"}'""", "found"),
        (" --config engine.yaml", "undecided"),
        (" $EXTRA_ARGS", "undecided"),
    ],
)
def test_an_option_that_is_not_asked_for_has_its_default(more, judged, tmp_path, capsys):
    spec = tmp_path / "run.sh"
    spec.write_text(PLAIN + more + "\n")
    _, document = found_in(spec, capsys)
    found = CONNECTOR in {one["id"] for one in document["findings"]}
    undecided = CONNECTOR in {one["id"] for one in document["undecided"]}
    assert {"found": (True, False), "undecided": (False, True)}.get(judged, (False, False)) == (
        found,
        undecided,
    )


@pytest.mark.parametrize(
    ("command", "fact", "value"),
    [
        ("vllm serve m -dp 4 --enable-expert-parallel", "parallel.data", "4"),
        ("vllm serve m -dp 4 --enable-expert-parallel", "parallel.expert", "true"),
        ("vllm serve m --pipeline-parallel-size=2 --enforce-eager", "parallel.pipelined", "true"),
        ("vllm serve m --pipeline-parallel-size=2 --enforce-eager", "serving.graphs", "false"),
        ("python3 -m sglang.launch_server --model m --ep-size 1", "parallel.expert", "false"),
        (
            "python3 -m sglang.launch_server --model m --disaggregation-mode decode",
            "serving.disaggregated",
            "true",
        ),
        ("vllm serve m --quantization fp8", "model.weights", "fp8"),
        ("vllm serve m", "serving.speculation", "false"),
    ],
)
def test_options_of_an_engine(command, fact, value):
    from gpudoctor.probes.specs.launch import SHELL, Draft
    from gpudoctor.probes.specs.programs import read_command
    from gpudoctor.probes.specs.shellwords import Word

    draft = Draft(SHELL, "", 1)
    read_command([Word(text, 1) for text in command.split()], draft)
    assert draft.value(fact) == value
