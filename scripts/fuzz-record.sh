#!/bin/bash
# scripts/fuzz-record.sh RECORD TARGET EXECUTIONS SECONDS EDGES: adds a run to the table of tests/fuzz/RECORD.md. Executions and
# seconds are summed with those of earlier runs, edges are the most of one. A target without a row gets one.
set -euo pipefail
readonly record=$1
awk -v target="$2" -v runs="$3" -v seconds="$4" -v edges="$5" -F ' *[|] *' '
  function print_row(runs, seconds, edges, older_runs, older_seconds) {
    printf "| %s | %d | %d | %d | %d | %d |\n", target, runs, seconds, edges, older_runs, older_seconds
    is_added = 1
  }
  NF != 8 && is_in_table {  # the table has ended
    if (!is_added) print_row(runs, seconds, edges, 0, 0)
    is_in_table = 0
  }
  NF == 8 { is_in_table = 1 }
  NF == 8 && $2 == target { print_row($3 + runs, $4 + seconds, (edges > $5 ? edges : $5), $6, $7); next }
  { print }
  END {
    if (is_in_table && !is_added) print_row(runs, seconds, edges, 0, 0)
    if (!is_added) exit 1  # there is no table
  }' "$record" >"$record.new"
mv "$record.new" "$record"
