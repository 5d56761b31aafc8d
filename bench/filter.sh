#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# emcli skills filter over transcripts of 1 MB, of the usual kind and of the
# worst: bench/filter.sh.  EMCLI_BIN, else build-bench's.
set -eu
cd "$(dirname "$0")/.."
b=${B:-build-bench}
[ -n "${EMCLI_BIN:-}" ] || make -s B="$b"
EMCLI=$(realpath "${EMCLI_BIN:-$b/emcli}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" EMCLI_DB="$work/store/emcli.db"
EMCLI_ADMIN_KEY=$("$EMCLI" key generate)
EMCLI_KEY=$("$EMCLI" key generate)
export EMCLI_ADMIN_KEY EMCLI_KEY
mkdir -p "$work/box/cur" "$work/box/new" "$work/box/tmp"
"$EMCLI" init < /dev/null > /dev/null
"$EMCLI" account add work --backend maildir --mode RO --from me@lab.example \
	--path "$work/box" > /dev/null
unset EMCLI_ADMIN_KEY
python3 bench/filter_time.py "$EMCLI"
