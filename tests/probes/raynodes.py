"""Several raylets on this machine, for tests; run by an interpreter that has Ray.

Prints ``{"address": ..., "raylets": [pid, ...]}`` when they are up, and ends them when standard input ends.
Never ``ray stop``: that ends every Ray of the machine.
"""

import json
import sys

from ray.cluster_utils import Cluster


def main() -> None:
    environments = json.loads(sys.argv[1])
    nodes = []
    cluster = Cluster()
    try:
        for number, variables in enumerate(environments):
            first = {"include_dashboard": False} if number == 0 else {}
            nodes.append(
                cluster.add_node(num_cpus=1, env_vars=variables, object_store_memory=80 << 20, **first)
            )
        raylets = [node.all_processes["raylet"][0].process.pid for node in nodes]
        print(json.dumps({"address": cluster.address, "raylets": raylets}), flush=True)
        sys.stdin.read()
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    main()
