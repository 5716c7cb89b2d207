#!/bin/bash
# Prints the folder of the Web Platform Tests of WebNN, with testharness.js and idlharness.js, and makes it first if it is not
# there: they come from Debian's source of Firefox, 683 MB of which only these folders are kept. It is fetched from where
# this machine has its packages from. The folder is $WEBNN_WPT, or one in the user's cache; nothing of it is part of this
# repository.
#   scripts/web-platform-tests.sh [--if-there]     with --if-there nothing is fetched: the status is 1 when it is not there
set -euo pipefail

readonly version=140.12.0
readonly archive=firefox-esr_${version}esr.orig.tar.xz
readonly sum=5c72347381233dcc97cbd02c0324116258769d8b9b0f869fd0c6f1d59519ce2a
folder=${WEBNN_WPT:-${XDG_CACHE_HOME:-$HOME/.cache}/webnn-wpt/$version}

if [[ ! -d $folder/webnn ]]; then
  if [[ ${1:-} == --if-there ]]; then exit 1; fi
  mkdir -p "$(dirname "$folder")"
  work=$(mktemp -d "$(dirname "$folder")/.new.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  # apt knows no targets where its lists have been removed.
  [[ -n $(apt-get indextargets) ]] || apt-get -qq update >&2
  site=$(apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' | sed -n "s/ $release\$//p" | head -n 1)
  address=$site/pool/main/f/firefox-esr/$archive
  curl --fail --silent --show-error --location --output "$work/archive" "$address"
  sha256sum --quiet --check - <<<"$sum  $work/archive" >&2
  tests='firefox-*/testing/web-platform/tests'
  tar --extract --xz --file "$work/archive" --directory "$work" --wildcards "$tests/webnn" "$tests/interfaces/*.idl" \
    "$tests/resources/testharness.js" "$tests/resources/idlharness.js" "$tests/resources/webidl2"
  mv -T "$work"/firefox-*/testing/web-platform/tests "$folder"
fi
echo "$folder"
