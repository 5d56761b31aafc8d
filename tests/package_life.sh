#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/package_life.sh FOLDER NEXT-FOLDER VERSION: the packages of FOLDER, which
# have that version, are installed on a bare machine with systemd, those of
# NEXT-FOLDER over them, and all are removed and purged, as root.  The store is
# there at the end.  Called by tests/package.
set -euo pipefail
cd "$(dirname "$0")/.."
store=/var/lib/emcli/emcli.db
trap 'echo "package_life: line $LINENO failed" >&2' ERR

step() {
	echo "-- $*"
}
get() { # FOLDER
	apt-get install -y -qq "$1"/emcli{,-broker,-doc}_*.deb >/tmp/apt 2>&1 ||
		{ cat /tmp/apt >&2; return 1; }
}
agent() {
	runuser -u scout -- env -i PATH="$PATH" HOME=/home/scout "$@"
}
# What has the word is said by the command.
says() { # WORD COMMAND...
	local word=$1
	shift
	"$@" >/tmp/said 2>&1 || true
	grep -q -- "$word" /tmp/said || { cat /tmp/said >&2; return 1; }
}

step "installed, it runs, and no service is enabled or started"
apt-get update -qq
get "$1"
says "$3" emcli version
for unit in service socket; do
	says disabled systemctl is-enabled emcli.$unit
	says inactive systemctl is-active emcli.$unit
	systemd-analyze verify --man=no emcli.$unit
done
says emcli getent passwd emcli
for library in libcurl.so.4 liblzma.so.5 libseccomp.so.2 libz.so.1; do
	says $library ldconfig -p
done
[ ! -e /var/lib/emcli ]

step "a store is made, and a command reads mail"
useradd --create-home scout
mkdir -p /srv/mail/agent@lab.example/{cur,new,tmp}
printf 'From: alice@lab.example\r\nSubject: first\r\n\r\nx\r\n' \
	>/srv/mail/agent@lab.example/new/1.M1P1.lab
chmod -R a+rwX /srv/mail
EMCLI_KEY=$(emcli key generate)
EMCLI_ADMIN_KEY=$(emcli key generate)
export EMCLI_KEY EMCLI_ADMIN_KEY
emcli init </dev/null >/dev/null
emcli account add work --backend maildir --process-backlog \
	--from agent@lab.example --path /srv/mail >/dev/null
says '"subject":"first"' emcli list --account work

step "README's commands, without the one for which the package is, start the broker"
awk '/^## / { ours = $0 == "## An agent with a shell" }
	ours && /^    / { print substr($0, 5); some = 1; next }
	some { exit }' README.md | grep -v 'serve install' >/tmp/readme
[ "$(wc -l </tmp/readme)" = 4 ]
bash -euo pipefail /tmp/readme >/tmp/said 2>&1 || { cat /tmp/said >&2; exit 1; }
unset EMCLI_KEY
says '"subject":"first"' agent emcli list
says '"isolation":"broker"' agent emcli doctor --json

step "an upgrade in use: no call fails, and the next version answers"
before=$(systemctl show -P MainPID emcli.service)
(
	while [ ! -e /tmp/enough ]; do
		agent emcli list >>/tmp/calls 2>>/tmp/calls.err || echo "failed" >>/tmp/calls
	done
) &
get "$2"
touch /tmp/enough
wait $!
[ "$(grep -cv '"subject":"first"' /tmp/calls)" = 0 ]
says "$3.1" emcli version
after=$(systemctl show -P MainPID emcli.service)
[ "$before" != "$after" ]
[ "$(readlink "/proc/$after/exe")" = /usr/bin/emcli ]
says '"subject":"first"' agent emcli list

# What is there whatever is removed.
stays() {
	[ -s $store ] && [ -s /etc/emcli.cred ]
}
step "removed, no process of it is left"
apt-get remove -y -qq emcli emcli-broker emcli-doc >/dev/null
says inactive systemctl is-active emcli.service
[ ! -e /usr/bin/emcli ]
[ -z "$(find /proc -maxdepth 1 -user emcli)" ]
stays

step "purged, the store is there, and works with what is installed again"
dpkg --purge emcli emcli-broker emcli-doc >/tmp/said 2>&1
grep -q "emcli-broker: /var/lib/emcli stays" /tmp/said
stays
get "$2"
systemctl start emcli.service
says '"subject":"first"' agent emcli list
EMCLI_DB=$store emcli audit verify >/dev/null
