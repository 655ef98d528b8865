"""The lines that start the collective test on several nodes: printed, never run; no remote shell of our own."""

from __future__ import annotations

import argparse
import ipaddress
import shlex

from ..errors import UsageError
from ..inputs.hostfile import Host

PORT = 29511


def launch_lines(hosts: list[Host], arguments: argparse.Namespace) -> str:
    """What to type, for each launcher."""
    first, count = hosts[0].name, len(hosts)
    ranks = arguments.ranks or hosts[0].slots
    if any(host.slots not in (None, ranks) for host in hosts):
        raise UsageError("every node needs the same number of ranks")
    join = arguments.join or f"{f'[{first}]' if ':' in first else first}:{PORT}"
    common = ["gpudoctor", "collective", "--join", join, "--node-count", str(count)]
    for option, value in (
        ("--backend", arguments.backend),
        ("--ranks", ranks),
        ("--python", arguments.python),
        ("--budget", f"{arguments.budget:g}"),
    ):
        common += [option, str(value)] if value else []
    common += [flag for flag, wanted in (("--matrix", arguments.matrix), ("--yes", arguments.yes)) if wanted]
    base = shlex.join(common)

    def on(node: str) -> str:
        return f"{base} --node {node} --format yaml --output gpudoctor.$(hostname).yaml"

    names = [host.name for host in hosts]
    out = [
        f"# Each of the {count} nodes runs one gpudoctor, which starts and watches the ranks of its node. They meet at",
        f"# {join}, the first node: use its address in the network that the job uses.",
        *(
            []
            if _is_address(first) or arguments.join
            else [f"# {first} is a name: every node must resolve it alike."]
        ),
        "# Afterwards: gpudoctor --facts gpudoctor.FIRST.yaml on one of them, or compare the files.",
        "",
        "# Slurm, inside of the allocation",
        f"srun --nodes={count} --ntasks-per-node=1 --overlap --nodelist={','.join(names)} "
        + shlex.join(["sh", "-c", on("$SLURM_NODEID")]),
        "",
        "# Open MPI",
        f"mpirun --map-by ppr:1:node --host {','.join(names)} "
        + shlex.join(["sh", "-c", on("$OMPI_COMM_WORLD_RANK")]),
        "",
        "# torchrun, on every node with its number for I (0 on the first)",
        f"torchrun --nnodes {count} --nproc-per-node 1 --node-rank I --master-addr {first} "
        f"--master-port {PORT - 1} --no-python " + shlex.join(["sh", "-c", on("$GROUP_RANK")]),
        "",
        "# Ray, from any node of the cluster",
        "python - <<'EOF'",
        *_ray(names, base),
        "EOF",
        "",
        "# By hand, on every node with its number for I (0 on the first)",
        on("I"),
        "",
    ]
    return "\n".join(out)


def _ray(names: list[str], base: str) -> list[str]:
    return [
        "import os, ray, subprocess",
        "from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as On",
        f"hosts, command = {names!r}, {base!r}",
        "",
        "@ray.remote(num_cpus=0, max_retries=0)",
        "def node(number):",
        "    # Ray empties the mask of tasks without GPUs; the test needs those that the node has.",
        '    env = {n: v for n, v in os.environ.items() if v or n != "CUDA_VISIBLE_DEVICES"}',
        '    line = f"{command} --node {number} --format yaml"',
        "    return subprocess.run(line, shell=True, env=env, capture_output=True, text=True).stdout",
        "",
        'ray.init(address="auto")',
        'ids = {n[key]: n["NodeID"] for n in ray.nodes() if n["Alive"] for key in ("NodeManagerAddress", '
        '"NodeManagerHostname")}',
        "tasks = [node.options(scheduling_strategy=On(ids[h], soft=False)).remote(i) for i, h in enumerate(hosts)]",
        "for host, text in zip(hosts, ray.get(tasks)):",
        '    open(f"gpudoctor.{host}.yaml", "w").write(text)',
    ]


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
