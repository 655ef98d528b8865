"""Facts of every node of a Ray cluster, gathered by the interpreter of the job."""
