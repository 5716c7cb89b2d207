#!/bin/bash
# Runs all test cases of a test program: portions of them, in as many processes side by side as there are cores. What a
# portion prints appears when it has ended. At the end stand the slowest cases, what was skipped and what failed, line
# by line, `N skipped`, and as the last line `N passed, N failed`. A portion that crashes or hangs counts as one failed
# case; its other cases are among those that `did not run`, which fail too. One that has run its cases and ends with an
# error of a sanitizer counts as one failed case beside them.
# usage: scripts/run-tests.sh PROGRAM [arguments of webnn-tests that choose cases]
# With WEBNN_EMULATOR set to the words of a command, that runs the program.
set -uo pipefail
program=$1
shift
chosen=("$@")
export WEBNN_EMULATOR=${WEBNN_EMULATOR:-}
emulated=${#WEBNN_EMULATOR}
readonly portion=4        # test cases: few, because some take as long as hundreds of others, and stand side by side
readonly time_limit=1200  # seconds for one portion, which on a busy machine takes several times as long as on a quiet one;
                          # ten times as many in an emulator

count=$($WEBNN_EMULATOR "$program" --count "${chosen[@]}" | grep -oE '[0-9]+$' | tail -n 1)
if [[ -z $count ]]; then
  echo "$program does not say how many test cases it has"
  echo "0 passed, 1 failed"
  exit 1
fi
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
trap 'echo "stopped before the end"' TERM  # what has run until then is summed up

export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
ours='^\[doctest\]|^=*$|^[0-9.]+ s: |^skipped( part)?: |^failed: |^[0-9]+ skipped$|^[0-9]+ passed, [0-9]+ failed$'
export ours
run_portion() {
  local first=$1 program=$2 logs=$3 last=$(($1 + $4 - 1)) limit=$5 status
  local log=$logs/$first
  shift 5
  timeout "$limit" $WEBNN_EMULATOR "$program" --first="$first" --last="$last" --duration=true "$@" >"$log" 2>&1
  status=$?
  if ((status != 0)) && ! grep -qE '^[0-9]+ passed, [1-9][0-9]* failed$' "$log"; then
    printf '\nfailed: test cases %d to %d: the program ended with status %d\n' "$first" "$last" "$status" >>"$log"
  fi
  # The heading of a test case is worth a line only above what the case prints.
  grep -vE "$ours" "$log" | awk '
    /^[^ ]+:[0-9]+:$/ { place = $0; next }
    /^TEST CASE:/ { heading = place "\n" $0; place = ""; next }
    NF { if (heading != "") print heading; heading = ""; if (place != "") print place; place = ""; print }' |
    flock "$logs" cat
}
export -f run_portion
seq 1 "$portion" "$count" |
  xargs -P "$(nproc)" -I{} bash -c 'run_portion "$@" || true' _ {} "$program" "$logs" "$portion" $((emulated ? 10 * time_limit : time_limit)) "${chosen[@]}"

grep -hE '^[0-9.]+ s: ' "$logs"/* | sort -rn | head -n 10 | sed -E 's/^([0-9]+)\.[0-9]* s: /slow: \1 s: /'

# The last totals of a portion are its own; what failing cases print may have such a line, too. A portion that never ran
# is missing in the sum.
awk -v count="$count" '
  function add_portion() { passed += p; failed += f; p = f = 0 }
  FNR == 1 { add_portion() }
  /^failed: test cases [0-9]+ to [0-9]+: the program ended / { ++failed }
  /^failed: / { failures = failures $0 "\n" }
  /^skipped( part)?: / { print; ++skipped; whole += $1 == "skipped:" }
  /^[0-9]+ passed, [0-9]+ failed$/ { p = $1; f = $3 }
  END {
    add_portion()
    missing = count - passed - failed - whole
    if (missing > 0) {
      failures = failures "failed: " missing " test cases did not run\n"
      failed += missing
    }
    printf "%s", failures
    print skipped + 0 " skipped"
    print passed + 0 " passed, " failed + 0 " failed"
    exit failed > 0
  }' "$logs"/*
