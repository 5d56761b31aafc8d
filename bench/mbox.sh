#!/bin/sh
# An archive of 100,000 messages, about 1 GB: indexing it beside counting its
# lines, and listing 50 of it beside mscan of mblaze where that is installed.
# bench/mbox.sh [FILE]: another archive.  Needs make, python3 and perl.
set -eu
cd "$(dirname "$0")/.."
emcli=${EMCLI_BIN:-$PWD/build/emcli}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
file=${1:-$tmp/archive.mbox}
[ $# -gt 0 ] || python3 bench/mbox_make.py 100000 "$file"

EMCLI_DB=$tmp/store/emcli.db
EMCLI_KEY=$(head -c 32 /dev/urandom | base64)
EMCLI_ADMIN_KEY=$(head -c 32 /dev/urandom | base64)
export EMCLI_DB EMCLI_KEY EMCLI_ADMIN_KEY
"$emcli" init </dev/null >/dev/null
"$emcli" account add a --backend mbox --path "$file" >/dev/null

# best NAME COMMAND...: the fastest of five, and how much memory it took.
best() {
	name=$1
	shift
	for _ in 1 2 3 4 5; do
		"${before:-true}"
		/usr/bin/python3 - "$@" <<'P'
import os, resource, subprocess, sys, time
t = time.monotonic()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
t = time.monotonic() - t
r = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{t * 1000:9.1f} ms  {r.ru_utime + r.ru_stime:6.2f} s of CPU  {r.ru_maxrss // 1024:4d} MiB")
P
	done | sort -n | head -1 | sed "s/^/$name  /"
}

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
if command -v mseq >/dev/null; then
	mkdir "$tmp/dir" && mkdir "$tmp/dir/cur" "$tmp/dir/new" "$tmp/dir/tmp"
	echo "mblaze: splitting the archive into a Maildir first"
	mdeliver -M "$tmp/dir" <"$file" >/dev/null
	best "mlist, mscan of 50    " sh -c "mlist '$tmp/dir' | tail -50 | mscan"
fi
