"""The kit that proves the probes, the collective test and the bedside on a machine with GPUs (``make gpu``)."""
