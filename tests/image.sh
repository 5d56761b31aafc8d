#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The image is emcli and nothing else, and serves.  TAP: prove tests/image.sh, from
# the top folder, with build-static/ made, by root.
# shellcheck disable=SC2086 # the words of storage
set -u
top=$(mktemp -d) || exit 1
storage="--root $top/root --runroot $top/run --storage-driver vfs"
n=0
tell() { # STATUS NAME
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed 's/^/# /' "$top/said"
	fi
}
end() {
	[ -z "${broker:-}" ] || kill "$broker" 2>/dev/null
	wait
	buildah $storage rm -a >/dev/null 2>&1
	buildah $storage rmi -a -f >/dev/null 2>&1
	rm -rf "$top"
}
trap end EXIT
: >"$top/said"

layers() {
	buildah $storage inspect --type image emcli:test | grep -A2 '"diff_ids"'
}
tools/image emcli:test $storage >"$top/said" 2>&1 && layers >"$top/first"
tell $? "it is built without a daemon"
# buildah writes its own container's name beside them.
tools/image emcli:test $storage >"$top/said" 2>&1 && layers | cmp -s - "$top/first"
tell $? "built again its files are the same"
archive() { # NAME
	buildah push $storage emcli:test "docker-archive:$top/$1.tar:emcli:test" &&
		tools/settle "$top/$1.tar" "$top/$1.settled"
}
archive first >"$top/said" 2>&1 && tools/image emcli:test $storage >>"$top/said" 2>&1 &&
	archive second >>"$top/said" 2>&1 && ! cmp -s "$top/first.tar" "$top/second.tar" &&
	cmp "$top/first.settled" "$top/second.settled" >>"$top/said" 2>&1 &&
	buildah $storage pull "docker-archive:$top/first.settled" >>"$top/said" 2>&1
tell $? "and so is its archive, once tools/settle has had it"
! PROGRAM=/bin/ls tools/image emcli:other $storage >"$top/said" 2>&1 &&
	grep -q 'needs libraries' "$top/said"
tell $? "a program that needs libraries is refused"
buildah $storage inspect --type image emcli:test >"$top/said"
grep -q '"User": "65532:65532"' "$top/said" && grep -q '"/usr/bin/emcli"' "$top/said" &&
	grep -q Healthcheck "$top/said" && ! grep -q EMCLI_KEY "$top/said"
tell $? "it runs as a user of its own, tells of its health, and has no key"

box=$(buildah $storage from emcli:test)
at=$(buildah $storage mount "$box")
find "$at" -type f | sed "s|^$at||" | sort >"$top/said"
[ "$(tr '\n' ' ' <"$top/said")" = \
	"/etc/group /etc/passwd /etc/ssl/certs/ca-certificates.crt /usr/bin/emcli " ]
tell $? "it contains the program, certificates and the user's name"
[ -z "$(find "$at" -perm /o=w ! -type l)" ] &&
	[ "$(stat -c '%u %a' "$at/var/lib/emcli")" = "65532 700" ]
tell $? "nobody else can write there"

key() { head -c 32 /dev/urandom | base64; }
key=$(key) admin=$(key)
run() {
	buildah $storage run --isolation chroot --env EMCLI_KEY="$key" \
		${admin:+--env EMCLI_ADMIN_KEY="$admin"} "$box" -- /usr/bin/emcli "$@"
}
! run health >"$top/said" 2>&1
tell $? "without a store it is not healthy"
run init >"$top/said" 2>&1 && run health >"$top/said" 2>&1
tell $? "with a store it is"
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' \
	'{"jsonrpc":"2.0","method":"notifications/initialized"}' \
	'{"jsonrpc":"2.0","id":2,"method":"tools/list"}' |
	run mcp >"$top/said" 2>&1 && grep -q load_skill "$top/said"
tell $? "it serves MCP"
admin=
run serve --foreground --socket /run/emcli/emcli.sock >"$top/serve" 2>&1 &
broker=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	run health --socket /run/emcli/emcli.sock >"$top/said" 2>&1 && break
	sleep 0.5
done
grep -q '^ok *broker' "$top/said" || { cat "$top/serve" >>"$top/said"; false; }
tell $? "it serves as a broker, and its health says so"
echo "1..$n"
