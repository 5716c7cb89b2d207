#!/bin/bash
# Runs whole random graphs (tests/random_graphs), one process for each core. Differences are printed as they are found;
# the last line is `N passed, N failed`. When a process crashes or hangs, one of its graphs counts as failed and the
# others are among those that `did not run`, which fail too. When it ends with a status other than 0 although none of
# its graphs differs (a sanitizer's report), one counts as failed. Every run has graphs of its own unless SEED says
# which is the first.
# usage: scripts/random-graphs.sh PROGRAM cpu|gpu COUNT [SEED]
# With WEBNN_EMULATOR set to the words of a command, that runs the program.
set -uo pipefail
program=$1 device=$2 count=$3 seed=${4:-$((RANDOM * 100000))}
readonly portion=250      # graphs of a process
readonly time_limit=3600  # seconds for one portion

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
export WEBNN_EMULATOR=${WEBNN_EMULATOR:-}
run_portion() {
  local program=$1 device=$2 logs=$3 seed=$4 count=$5 log=$3/$4.log status totals passed
  timeout "$6" $WEBNN_EMULATOR "$program" --random-graphs "$count" --seed "$seed" --device "$device" >"$log" 2>"$log.err"
  status=$?
  totals=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log")
  if [[ -z $totals ]] || { ((status != 0)) && [[ $totals == *' 0 failed' ]]; }; then
    passed=${totals%% *}
    sed -i -E '/^[0-9]+ passed, 0 failed$/d' "$log"
    [[ -z $(tail -c 1 "$log") ]] || echo >>"$log"  # a crash may leave half a line
    {
      printf 'graphs %d to %d: the program ended with status %d; its last lines on standard error:\n' \
        "$seed" $((seed + count - 1)) "$status"
      tail -n 40 "$log.err" | sed 's/^/  /'
      printf '%d passed, 1 failed\n' $((passed > 0 ? passed - 1 : 0))
    } >>"$log"
  fi
  flock "$logs" grep -vE '^[0-9]+ (passed, [0-9]+ failed|elements compared, .*)$' "$log"
}
export -f run_portion
echo "$count graphs on the $device, seeds from $seed"
for ((first = 0; first < count; first += portion)); do
  echo $((seed + first)) $((count - first < portion ? count - first : portion))
done | xargs -P "$(nproc)" -L 1 bash -c 'run_portion "$1" "$2" "$3" "$5" "$6" "$4" || true' _ \
  "$program" "$device" "$logs" "$time_limit"

# A portion that never ran is missing in the sum.
cat "$logs"/*.log | awk -v count="$count" '
  /^[0-9]+ elements compared/ { elements += $1; unknown += $4 }
  /^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3 }
  END {
    missing = count - passed - failed
    if (missing > 0) {
      print missing " graphs did not run"
      failed += missing
    }
    printf "%.0f elements compared, %.0f without a bound\n", elements, unknown
    print passed + 0 " passed, " failed + 0 " failed"
    exit failed > 0
  }'
