#!/bin/sh
# Slurm's Epilog: diagnoses the node after the job; an incident goes to the log of the node. It never drains by itself.
export PATH="${GPUDOCTOR_PATH:-/usr/local/bin}:$PATH"
folder=${GPUDOCTOR_STATE:-/var/spool/gpudoctor}
mkdir -p "$folder" && chmod 700 "$folder" || exit 0
report=$folder/${SLURM_JOB_ID:-none}.after.json
timeout 20 gpudoctor --probe --no-ask --format json --output "$report" >/dev/null 2>&1
status=$?
if [ "$status" -eq 1 ]; then
  logger -t gpudoctor "after job ${SLURM_JOB_ID:-none}: an incident, see $report"
else
  rm -f "$report"
fi
rm -f "$folder/${SLURM_JOB_ID:-none}.before.json"
exit 0
