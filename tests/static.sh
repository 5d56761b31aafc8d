#!/bin/sh
# The static program is one file that needs no other.  TAP: prove tests/static.sh,
# from the top folder, with build-static/ made.
set -u
emcli=build-static/emcli
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
n=0
tell() { # STATUS NAME
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}

echo 1..5
readelf -lhdS "$emcli" >"$top/elf"
! grep -qE 'INTERP|NEEDED' "$top/elf"
tell $? "it has no interpreter and needs no library"
grep -q 'Type: *DYN' "$top/elf"
tell $? "it can be loaded at any address"
grep -q GNU_RELRO "$top/elf" && grep -q BIND_NOW "$top/elf" &&
	! grep -q 'GNU_STACK.*RWE' "$top/elf"
tell $? "it is hardened"
! grep -qE '\.symtab|\.debug' "$top/elf"
tell $? "it is stripped"

# What the linker names as missing is refused, if it is not known.
echo 'extern int strange(void); int (*f)(void) = strange;' >"$top/a.c"
gcc -c -o "$top/a.o" "$top/a.c"
! tools/stubs gcc "$top/a.o" >/dev/null 2>"$top/said" && grep -q 'lack: strange' "$top/said"
tell $? "a library that lacks what is not known is refused"
