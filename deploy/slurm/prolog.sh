#!/bin/sh
# Slurm's Prolog: keeps a capture of the node before the job, and never stops one.
# A prolog that fails drains the node, so every way out is 0; the verdict goes to the log of the node.
export PATH="${GPUDOCTOR_PATH:-/usr/local/bin}:$PATH"
folder=${GPUDOCTOR_STATE:-/var/spool/gpudoctor}
mkdir -p "$folder" && chmod 700 "$folder" || exit 0
timeout 15 gpudoctor probe --timeout 10 --format json --output "$folder/${SLURM_JOB_ID:-none}.before.json" \
  >/dev/null 2>&1 || logger -t gpudoctor "prolog of job ${SLURM_JOB_ID:-none}: the probe did not end well"
exit 0
