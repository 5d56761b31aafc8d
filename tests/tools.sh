#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the check itself is made with.  TAP: prove tests/tools.sh, from the top
# folder.
set -u
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
n=0

tell() { # STATUS NAME
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
	fi
}

# program TEXT: a shell script to be limited.
program() {
	printf '#!/bin/sh\n%s\n' "$1" >"$top/program"
	chmod +x "$top/program"
}

# gone PID: it is, or is a zombie that nobody has asked after.
gone() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		grep -qs '^State:.[^Z]' "/proc/$1/status" || return 0
		sleep 1
	done
	return 1
}

program 'exit 3'
tests/limited "$top/program"
[ $? -eq 3 ]
tell $? "limited hands the status over"

program "sleep 600 & echo \$! >$top/child; sleep 600"
TEST_LIMIT_S=1 tests/limited "$top/program" 2>"$top/said"
[ $? -eq 137 ] && grep -q "ended after 1 s" "$top/said"
tell $? "limited ends what does not end, and says so"
gone "$(cat "$top/child")"
tell $? "limited ends its children, too"

program "sleep 600 & echo \$! >$top/child"
[ -z "$(tests/limited "$top/program")" ] &&
	gone "$(cat "$top/child")"
tell $? "limited leaves no child behind that holds a pipe"

tools/entities | cmp -s - src/html/entity_table.c
tell $? "the table of character references is the one that its tool writes"

# What make would do, for a compiler and with flags of the caller's.
would() {
	make --no-print-directory -n -B B="$top/b" "$@" all docs >"$top/said" 2>&1
}

# every WORD: each line that compiles or links has it, behind what was given.
every() {
	grep -E -- "-MMD|-o [^ ]*/(skillgen|emcli) " "$top/said" >"$top/lines"
	[ "$(wc -l <"$top/lines")" -gt 100 ] &&
		! grep -vqE -- "-O3.* $1( |\$)" "$top/lines"
}

would CFLAGS="-O3 -std=gnu99 -fno-stack-protector" \
	LDFLAGS="-O3 -no-pie -Wl,--hash-style=gnu" CPPFLAGS=-DMINE
every -std=c17 && every -fstack-protector-strong && every -fPIE &&
	every -D_FORTIFY_SOURCE=2 && grep -q -- "-DMINE .*-Isrc " "$top/said"
tell $? "make keeps language and hardening whatever CFLAGS are given"
grep -qE -- "--hash-style=gnu -pie -Wl,-z,relro,-z,now .* -lssl" "$top/said"
tell $? "make keeps the hardening whatever LDFLAGS are given"
readelf -lWd build/emcli >"$top/elf" && grep -q GNU_RELRO "$top/elf" &&
	grep -q "FLAGS_1.*NOW.*PIE" "$top/elf" &&
	readelf -Ws build/emcli | grep -q __stack_chk_fail
tell $? "the program is hardened"

would CC="gcc -m32" && false
grep -q "it wants 64 bits" "$top/said"
tell $? "make refuses 32 bits and says so"

# compiler NAME CONDITION: a gcc that fails when the condition holds.
compiler() {
	printf '#!/bin/sh\ncase "$*" in %s esac\nexec gcc "$@"\n' "$2" >"$top/$1"
	chmod +x "$top/$1"
}
compiler gcc-shared '*-l:*.a*) exit 1 ;;'
rm -r "$top/b"
would CC="$top/gcc-shared" && grep -qE -- "-lsqlite3 +-lyaml +-ljansson +-lpcre2-8 +-lidn2 +-lformw" "$top/said" &&
	! grep -q -- "-l:" "$top/said"
tell $? "make takes shared libraries where there are no archives"
compiler gcc-poor '*) for f; do
	case $f in *.c) ! grep -qs "<idn2.h>" "$f" || exit 1 ;; esac
	done ;;'
rm -r "$top/b"
would CC="$top/gcc-poor" && false
grep -q "missing: libidn2-dev (idn2.h)" "$top/said"
tell $? "make names the package that is missing"

compiler cross-gcc '-dumpmachine) echo aarch64-linux-gnu; exit ;;'
would CC="$top/cross-gcc" HOST="$top/host" PKG_CONFIG=pkg-config
grep -qE "^gcc .* -o $top/host/skillgen " "$top/said" &&
	grep -qE "^cp $top/host/gen/skill/skills.c $top/b/" "$top/said" &&
	grep -qE "^$top/cross-gcc .* -o $top/b/emcli " "$top/said" &&
	grep -q "emcli=$top/host/emcli" "$top/said"
tell $? "make for another machine makes what it runs for this one"
would install DESTDIR="$top/d" && grep -q "install -s " "$top/said" &&
	would install-debug DESTDIR="$top/d" && ! grep -q "install -s" "$top/said"
tell $? "make install strips, and make install-debug does not"

# changed FILE MORE...: what make would do after a change in it.
changed() {
	file=$1
	shift
	make --no-print-directory -n V=1 -W "$file" "$@" >"$top/said" 2>&1
}
changed src/backend/imap/fetch.c all && grep -q -- "-o build/emcli " "$top/said" &&
	! grep -q skillgen "$top/said"
tell $? "a change below the operations links the program and nothing else"
rm -rf "$top/b"
make --no-print-directory -n V=1 B="$top/b" ROOM_TESTED=policy unit-room >"$top/said" 2>&1 &&
	grep -q -- "-o $top/b/tests/unit/policy/decide " "$top/said" &&
	! grep -qE "[ /](src/(store|gate|door)|tests/unit/base)/" "$top/said"
tell $? "the unit tests of a room are made of it and what is below it"
! make --no-print-directory unit/nothing >"$top/said" 2>&1 &&
	grep -q "there are no unit tests of nothing" "$top/said"
tell $? "make unit/nothing says that there are none"

rm -rf "$top/b"
quiet() {
	make --no-print-directory B="$top/b" "$@" "$top/b/src/base/near.o" 2>&1 |
		sed "s,$top/,,"
}
[ "$(quiet)" = "CC	b/src/base/near.o" ] && rm "$top/b/src/base/near.o" &&
	[ -z "$(quiet -s)" ] && rm "$top/b/src/base/near.o" &&
	quiet V=1 | grep -q "^gcc .* -o b/src/base/near.o src/base/near.c$"
tell $? "make says in a line what it makes, with -s nothing, and with V=1 how"

# The packages of a release, and what is said elsewhere.
system() {
	printf '%s\n' "$@" >"$top/os-release"
}
system ID=debian 'VERSION_ID="13"' 'PRETTY_NAME="Debian 13"'
OS_RELEASE="$top/os-release" tools/install -n check node >"$top/13"
system ID=debian 'VERSION_ID="12"' 'PRETTY_NAME="Debian 12"'
OS_RELEASE="$top/os-release" tools/install -n check node >"$top/12"
! grep -qE "libicu72|libshp2" "$top/13" && ! grep -qE "libicu76|libshp4" "$top/12" &&
	grep -qhE "libicu7[26]" "$top/12" "$top/13"
tell $? "install knows the packages of a release"
system ID=other 'PRETTY_NAME="Other System 1"'
OS_RELEASE="$top/os-release" tools/install build unit 2>"$top/said" &&
	[ ! -s "$top/said" ]
tell $? "install asks nothing elsewhere when all is there"
! OS_RELEASE="$top/os-release" tools/install check 2>"$top/said" &&
	grep -q "^Other System 1 is not Debian 12 or 13" "$top/said" &&
	grep -q "dovecot-imapd" "$top/said"
tell $? "install says elsewhere what is needed"

# The commit of a tree.
mkdir -p "$top/clone/tools" "$top/tarball" "$top/none"
cp .gitattributes "$top/clone"
cp tools/commit "$top/clone/tools"
git -C "$top/clone" init -q 2>/dev/null && git -C "$top/clone" add -A &&
	git -C "$top/clone" -c user.name=x -c user.email=x@lab.example commit -qm x &&
	git -C "$top/clone" archive HEAD | tar x -C "$top/tarball"
cp -r "$top/clone/tools" "$top/none"
commit=$(git -C "$top/clone" rev-parse HEAD)
told() { # FOLDER
	(cd "$top/$1" && tools/commit)
}
[ "$(told clone)" = "$commit" ] && [ "$(told tarball)" = "$commit" ] && [ -z "$(told none)" ]
tell $? "a clone and a tarball of git archive tell their commit"
echo >>"$top/clone/tools/commit"
[ "$(told clone)" = "$commit-dirty" ]
tell $? "a clone tells that files were changed"

# The workflow of a public forge.
workflow=.github/workflows/check.yml
grep -A 99 '^permissions:' $workflow | sed '1d;/^[^ ]/Q' >"$top/may"
[ "$(cat "$top/may")" = "  contents: read" ] && [ "$(grep -c permissions: $workflow)" = 1 ] &&
	grep -q "uses: " $workflow &&
	! grep "uses: " $workflow | grep -vqE "@[0-9a-f]{40} # v[0-9.]+$"
tell $? "the workflow may read the source, and what it uses is pinned"
[ "$(grep "run: " $workflow | tail -n 1)" = "      - run: ./check" ] &&
	[ "$(grep -o '"debian:[0-9]*' $workflow | sort -u | tr -d '"' | tr : -)" = \
		"$(grep -o 'debian-1[0-9]' tools/install | sort -u)" ]
tell $? "it runs the check on the systems that tools/install knows"

# The check itself, in a folder where what it calls is ours.
mkdir -p "$top/house/tools" "$top/bin"
cp check "$top/house"
stub() { # FILE TEXT
	printf '#!/bin/sh\n%s\n' "$2" >"$top/$1"
	chmod +x "$top/$1"
}
checked() {
	(cd "$top/house" && PATH="$top/bin:$PATH" ./check "$@" >"$top/said" 2>&1)
}
stub bin/prove 'exit 0'
stub bin/make 'case "$*" in *laws*) exit 1 ;; esac; touch build/emcli'
mkdir -p "$top/house/build"
! checked laws gcc_build && grep -q "^== laws: FAILED" "$top/said" &&
	grep -q "^== gcc_build: ok" "$top/said" &&
	grep -q "^check: FAILED: laws;" "$top/said"
tell $? "one failure hides nothing, and the end names it"
stub house/tools/install '[ "$1" = build ]'
! checked packages gcc_build && grep -q "^== packages: FAILED" "$top/said" &&
	grep -q "^== gcc_build: ok" "$top/said" &&
	! grep -q "packages: ok" "$top/said"
tell $? "packages are ok only when all of them are there"
stub bin/clang-format 'echo clang-format version 19.1.7'
checked format && grep -q "^NOT JUDGED: " "$top/said" &&
	! grep -q "format: ok" "$top/said" &&
	grep -q "^check: not judged here: format" "$top/said"
tell $? "what is not judged is said, and is not ok"

# The first run that README promises, on a machine without python3.
rm "$top/bin/make" "$top/bin/prove"
stub bin/python3 "touch $top/python; exit 1"
PATH="$top/bin:$PATH" CC=gcc ./try >"$top/said" 2>&1
tell $? "try comes to its end"
shown() {
	[ "$(grep -c '^== [123] of 3: ' "$top/said")" -eq 3 ] && [ ! -e "$top/python" ] &&
		grep -q '^    "state": "sent",$' "$top/said" &&
		! grep -q copy_failed "$top/said"
}
shown
tell $? "try says what it does, prints JSON itself, and files what it sends"

# A server of PostgreSQL is the user's who runs it, and nobody's if that is root.
if tests/fake/postgres -b >/dev/null 2>&1; then
	PATH="$top/bin:$PATH" CC=gcc ./try --postgresql >"$top/said" 2>&1 && shown &&
		grep -q '^ sent  | *1$' "$top/said" &&
		server=$(sed -n 's/^made postgresql:.*host=\([^&]*\).*/\1/p' "$top/said") &&
		[ -n "$server" ] && [ ! -e "$server" ]
	tell $? "try shows it in a server of PostgreSQL, which is gone afterwards"
else
	n=$((n + 1))
	echo "ok $n # SKIP PostgreSQL is missing"
fi
! ./try --postgres >"$top/said" 2>&1 && grep -q "^usage: " "$top/said"
tell $? "try knows no other option"

echo "1..$n"
