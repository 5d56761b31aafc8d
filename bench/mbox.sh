#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An archive of 100,000 messages, about 1 GB: indexing it beside counting its
# lines, and listing 50 of it.  Beside other programs: bench/maildir.sh.
# bench/mbox.sh [FILE]: another archive.
set -eu
cd "$(dirname "$0")/.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
file=${1:-$tmp/archive.mbox}
[ $# -gt 0 ] || python3 bench/mbox_make.py 100000 "$file"
. bench/best.sh
"$emcli" account add a --backend mbox --path "$file" >/dev/null

forget() { rm -rf "$tmp/store/cache"; }

ls -l "$file" | awk '{ print $5 / 1e6 " MB" }'
cat "$file" >/dev/null
best "wc -l                 " wc -l "$file"
before=forget
best "index and list 1      " "$emcli" list --account a --folder INBOX --limit 1
before=true
best "list 50, warm         " "$emcli" list --account a --folder INBOX --limit 50
best "search by subject, all" "$emcli" search --account a --folder INBOX \
	--subject-contains "no such subject"
