#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What debian/ says is what the tree says.  TAP: prove tests/debian.sh, from the
# top folder, with build/ made.  tests/package builds the packages.
set -u
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
n=0
tell() { # STATUS NAME
	n=$((n + 1))
	[ "$1" -eq 0 ] && echo "ok $n - $2" && return
	echo "not ok $n - $2"
	sed 's/^/# /' "$top/said"
}

# same NAME: the files `ours` and `debian` have the same lines, in any order.
same() {
	for f in ours debian; do
		sort -u "$top/$f" >"$top/$f.sorted"
	done
	diff "$top/ours.sorted" "$top/debian.sorted" >"$top/said" && [ -s "$top/ours" ]
	tell $? "$1"
}
# packages FIELD: what debian/control names there, without versions.
packages() {
	sed -n "/^$1:/,/^[^ ]/s/^ \([a-z][^ ,]*\).*/\1/p" debian/control
}

sed -n 's/^VERSION  := //p' Makefile >"$top/ours"
sed -n '1s/^emcli (\(.*\)) .*/\1/p' debian/changelog >"$top/debian"
same "the version of debian/changelog is the Makefile's"
sed -n '/^## /{s/^## \([^ ,]*\).*/\1/p;q}' CHANGELOG.md >"$top/debian"
same "and that of CHANGELOG.md"

# Of these lintian warns.
for page in build/doc/*.[158]; do
	LC_ALL=C.UTF-8 groff -mandoc -Tutf8 -Kutf8 -Z -rLL=78n -wmac -wbreak "$page" 2>&1 >/dev/null
done | grep -v "cannot adjust" >"$top/said"
[ ! -s "$top/said" ] && [ -e build/doc/emcli.1 ]
tell $? "each line of the manual can be broken"

# The folders that debian/rules gives.
# shellcheck disable=SC2046 # words
make --no-print-directory -s DESTDIR="$top/d" PREFIX=/usr \
	COMMIT="$(cat build/gen/commit)" $(grep -o '[A-Z]*DIR=/[^ ]*' debian/rules) \
	install >"$top/said" 2>&1
tell $? "the program is installed"
# Debian has the licence in a file of its own.
(cd "$top/d/usr/share/doc/emcli" && grep -roE '\]\([^):#]+' --include='*.md' . |
	while IFS= read -r link; do
		file=${link%%:*} to=${link#*](}
		[ "$to" = LICENSE ] || [ -e "${file%/*}/$to" ] || echo "$file: $to"
	done) >"$top/said"
[ ! -s "$top/said" ] && [ -e "$top/d/usr/share/doc/emcli/README.md" ]
tell $? "and each file that its guides link to"
# shellcheck disable=SC2046 # words
make --no-print-directory -s DESTDIR="$top/d" PREFIX=/usr \
	COMMIT="$(cat build/gen/commit)" $(grep -o '[A-Z]*DIR=/[^ ]*' debian/rules) \
	install-broker install-doc >"$top/said" 2>&1
tell $? "all is installed that is packaged"
(cd "$top/d" && find . -type f | sed 's,^\./,,') >"$top/ours"
(cd "$top/d" && xargs -I F find F -type f) >"$top/debian" <<-END
	$(cat debian/*.install)
END
sed -n 's,.*mv debian/tmp/\([^ ]*\).*,\1,p' debian/rules >>"$top/debian"
same "each file that is installed is in a package"
grep -h '^ExecStart=' "$top/d/units/emcli.service" >"$top/said"
grep -qx 'ExecStart=/usr/bin/emcli serve --foreground' "$top/said"
tell $? "the unit starts the program where it is installed"
build/emcli serve install 2>/dev/null | grep -v '^ExecStart=' |
	sed 's,^# .*/,# ,' >"$top/printed"
for f in units/emcli.socket units/emcli.service usr/lib/sysusers.d/emcli.conf \
	usr/lib/tmpfiles.d/emcli.conf; do
	[ "$f" = units/emcli.socket ] || echo
	echo "# ${f##*/}"
	grep -v '^ExecStart=' "$top/d/$f"
done >"$top/installed"
diff "$top/printed" "$top/installed" >"$top/said"
tell $? "the units are those of serve install"

# What each has besides, and what it calls otherwise.
sed -n 's/^build \([^ ]*\).*/\1/p' tools/packages.txt |
	grep -vxE 'gcc|make|libc6-dev|pkg-config' >"$top/ours"
packages Build-Depends | grep -vxE 'debhelper-compat|dh-.*|mandoc|pkgconf' >"$top/debian"
same "it is built with what tools/packages.txt names"
{
	grep -oE 'SI\("[a-z]+[0-9][a-z]*"\)' src/source/late.c | sed 's/.*"\(.*\)".*/\1/'
	grep -q libseccomp.so.2 src/ipc/sandbox_seccomp_shared.c && echo libseccomp2
} >"$top/ours"
{
	packages Depends
	packages Recommends
} | grep '^\(lib\|zlib\)' >"$top/debian"
same "what it loads late is named"
echo "1..$n"
