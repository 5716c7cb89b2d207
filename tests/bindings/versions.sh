#!/bin/bash
# Runs the tests of the npm package on each version of Node.js that scripts/npm-clients.sh has installed; the last line is
# `N passed, N failed`.
#   tests/bindings/versions.sh build/release/bin/webnn-tests
set -uo pipefail
tests=$(realpath "$1")
clients=$("$(dirname "$0")/../../scripts/npm-clients.sh" --if-there) || {
  echo "skipped: Node.js 18, 20 and 24: the clients from npm are not installed"
  exit 0
}

passed=0 failed=0
for folder in "$clients"/node_modules/node-*/bin; do
  echo "Node.js $("$folder/node" --version)"
  log=$(PATH=$folder:$PATH "$tests" -tc='node: *' 2>&1)
  status=$?
  totals=$(grep -oE '^[0-9]+ passed, [0-9]+ failed$' <<<"$log" | tail -n 1)
  if ((status != 0)); then echo "$log"; fi
  if [[ $totals =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
  else
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
