#!/bin/sh
# A plugin of node-problem-detector: reads what the DaemonSet left, and measures nothing itself.
# Exit status: 0 no problem, 1 a problem (its line goes into the condition), 2 not known.
state=${1:-/var/lib/gpudoctor}
[ -r "$state/status" ] || { echo "no diagnosis yet"; exit 2; }
# An old verdict says nothing about now.
[ -n "$(find "$state/status" -mmin -30 2>/dev/null)" ] || { echo "the last diagnosis is older than 30 minutes"; exit 2; }
read -r status < "$state/status"
case $status in
  0) echo "no known incident"; exit 0 ;;
  1)
    named=$(sed -n 's/^gpudoctor_incident{id="\([^"]*\)",standing="\(confirmed\|likely\)".*/\2 \1/p' \
      "$state/gpudoctor.prom" 2>/dev/null | head -n 1)
    echo "${named:-an incident}"
    exit 1 ;;
  *) echo "not enough evidence"; exit 2 ;;
esac
