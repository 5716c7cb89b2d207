#!/bin/bash
# Runs all test cases of a test program: portions of them, in as many processes side by side as there are cores. What a
# portion prints appears when it has ended. The last line is `N passed, N failed`.
# usage: scripts/run-tests.sh PROGRAM
set -uo pipefail
program=$1
readonly portion=12  # test cases: few, because some take as long as hundreds of others

count=$("$program" --count | grep -oE '[0-9]+$' | tail -n 1)
if [[ -z $count ]]; then
  echo "$program does not say how many test cases it has"
  echo "0 passed, 1 failed"
  exit 1
fi
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# Threads that wait for each other must not keep the cores from those that work for them.
export OMP_WAIT_POLICY=passive
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
run_portion() {
  local log=$3/$1
  "$2" --first="$1" --last=$(($1 + $4 - 1)) >"$log" 2>&1
  local status=$?
  if ! grep -qE '^[0-9]+ passed, [0-9]+ failed$' "$log"; then
    {
      echo "test cases $1 to $(($1 + $4 - 1)): the program stopped with status $status before its end"
      echo "0 passed, 1 failed"
    } >>"$log"
  fi
  flock "$3" grep -vE '^\[doctest\]|^=*$|^[0-9]+ passed, [0-9]+ failed$' "$log"
}
export -f run_portion
seq 1 "$portion" "$count" | xargs -P "$(nproc)" -I{} bash -c 'run_portion "$@"' _ {} "$program" "$logs" "$portion"

cat "$logs"/* | awk '/^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3 }
  END { print passed + 0 " passed, " failed + 0 " failed"; exit failed > 0 || passed == 0 }'
