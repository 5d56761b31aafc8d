#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A Maildir of 100,000 messages, and an mbox of the same, beside notmuch, mu and
# mblaze where they are installed (apt-get install notmuch maildir-utils mblaze).
# bench/maildir.sh [COUNT [BYTES]]: so many, with so long bodies.
set -eu
cd "$(dirname "$0")/.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 bench/mbox_make.py "${1:-100000}" "$tmp/archive.mbox" "${2:-800}"
python3 bench/maildir_make.py "$tmp/archive.mbox" "$tmp/mail"
. bench/best.sh
"$emcli" account add mbox --backend mbox --path "$tmp/archive.mbox" >/dev/null
"$emcli" account add mail --backend maildir --path "$tmp/mail" \
	--from agent@lab.example >/dev/null

# One more message, in a folder that had come to rest.
n=0
deliver() {
	n=$((n + 1))
	printf 'Subject: one more\nFrom: a@example.org\nDate: %s\n\nx\n' \
		"Wed, 1 Nov 2017 06:04:00 +0000" >"$tmp/mail/new/1600000000.$$.$n"
}
# What is read sooner after a change is not yet believed.
rest() { sleep 2.2; }

ls -l "$tmp/archive.mbox" | awk '{ print $5 / 1e6 " MB" }'
rest
times=1
best "emcli Maildir, list 50, first" "$emcli" list --account mail --folder INBOX --limit 50
best "emcli mbox, list 50, first" "$emcli" list --account mbox --folder INBOX --limit 50
times=9
best "emcli Maildir, list 50, warm" "$emcli" list --account mail --folder INBOX --limit 50
best "emcli mbox, list 50, warm" "$emcli" list --account mbox --folder INBOX --limit 50
times=3
before=deliver
best "emcli Maildir, list 50, one more" "$emcli" list --account mail --folder INBOX --limit 50
before=true

if have notmuch notmuch; then
	NOTMUCH_CONFIG=$tmp/notmuch
	export NOTMUCH_CONFIG
	printf '[database]\npath=%s\n' "$tmp/mail" >"$NOTMUCH_CONFIG"
	times=1
	best "notmuch new, first" notmuch new
	times=9
	best "notmuch search, 50 messages" notmuch search --output=summary --limit=50 '*'
	best "notmuch show, 50 headers" sh -c "notmuch search --output=messages --limit=50 '*' |
		tr '\n' ' ' | xargs notmuch show --format=json --body=false --entire-thread=false"
	times=3
	before=deliver
	best "notmuch new, one more" notmuch new
	before=true
	best "notmuch search, all threads" notmuch search --output=threads '*'
fi
if have mu maildir-utils; then
	times=1
	best "mu index, first" sh -c "mu init -q --muhome='$tmp/mu' -m '$tmp/mail' &&
		mu index -q --muhome='$tmp/mu'"
	times=9
	best "mu find, 50 messages" mu find --muhome="$tmp/mu" --nocolor -n 50 -s date -z ''
	times=3
	before=deliver
	best "mu index, one more" mu index -q --muhome="$tmp/mu"
	before=true
	best "mu find, all threads" mu find --muhome="$tmp/mu" --nocolor --threads ''
fi
if have mlist mblaze; then
	times=3
	best "mblaze: mlist, 50 through mscan" sh -c "mlist '$tmp/mail' | tail -50 | mscan"
	times=1
	best "mblaze: mthread of all" sh -c "mlist '$tmp/mail' | mthread"
fi
