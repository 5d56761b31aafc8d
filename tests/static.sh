#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The static program is one file that needs no other.  TAP: prove tests/static.sh,
# from the top folder, with build-static/ made.  Needs root, or sudo.
set -u
emcli=build-static/emcli
top=$(mktemp -d) || exit 1
sudo=
[ "$(id -u)" = 0 ] || sudo="sudo -n"
trap '$sudo rm -rf "$top"' EXIT
n=0
tell() { # STATUS NAME
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}

readelf -lhdS "$emcli" >"$top/elf"
! grep -qE 'INTERP|NEEDED' "$top/elf"
tell $? "it has no interpreter and needs no library"
grep -q 'Type: *DYN' "$top/elf"
tell $? "it can be loaded at any address"
grep -q GNU_RELRO "$top/elf" && grep -q BIND_NOW "$top/elf" &&
	! grep -q 'GNU_STACK.*RWE' "$top/elf" && ! grep -q TEXTREL "$top/elf"
tell $? "it is hardened"
! grep -qE '\.symtab|\.debug' "$top/elf"
tell $? "it is stripped"

# refused NAME TEXT: an object with that text lacks the name, and is no library
# that may.
refused() {
	echo "$2" >"$top/a.c"
	gcc -w -fno-builtin -c -o "$top/a.o" "$top/a.c"
	! tools/stubs gcc "$top/a.o" >/dev/null 2>"$top/said" &&
		grep -q "lack: $1" "$top/said"
}
refused strange 'extern int strange(void); int (*f)(void) = strange;'
tell $? "a library that lacks what is not known is refused"
refused ZSTD_isError 'extern int ZSTD_isError(void); int (*f)(void) = ZSTD_isError;'
tell $? "what libcurl never calls may not be missing elsewhere"

# An update of the system: other archives are there than those that were linked.
grep -q '/libc\.a ' build-static/archives && grep -q '/libssl\.a ' build-static/archives &&
	grep -q '/libcrypto\.a ' build-static/archives
tell $? "the archives that it is made of are known"
cp "$emcli" "$top/before"
echo other >build-static/archives
touch -d '1 day ago' "$emcli" build-static/lib/*.a
touch "$top/mark"
make --no-print-directory -s STATIC=1 COMMIT="$(cat build-static/gen/commit)" >"$top/said" 2>&1 &&
	[ "$emcli" -nt "$top/mark" ] && [ build-static/lib/libcurl.a -nt "$top/mark" ]
tell $? "after an update it is linked again"
cmp "$top/before" "$emcli"
tell $? "and of the same archives it is the same"
! make -s STATIC=1 CC=clang all >"$top/said" 2>&1 && grep -q 'is for gcc' "$top/said" &&
	make -s -n STATIC=0 2>&1 | grep -q build-static
[ $? = 1 ]
tell $? "what is not gcc is refused, and STATIC=0 asks for nothing"

# Where nsswitch.conf(5) names another source for all there is, that source's
# library ends whatever loads it.
mkdir "$top/nss" "$top/store"
echo '__attribute__((constructor)) static void end(void) { __builtin_trap(); }' |
	gcc -shared -nostdlib -fPIC -x c -o "$top/nss/libnss_sss.so.2" -
echo '#include <pwd.h>
int main(void) { return getpwnam("nobody") == 0; }' |
	gcc -static -w -x c -o "$top/lookup" - 2>/dev/null
for database in aliases ethers group gshadow hosts initgroups netgroup networks \
	passwd protocols publickey rpc services shadow; do
	echo "$database: sss"
done >"$top/nsswitch.conf"
echo '127.0.0.1 mail.static.test' >"$top/hosts"
chmod 755 "$top" "$top/store"
key() { head -c 32 /dev/urandom | base64; }
cat >"$top/run" <<-'END'
	top=$1
	shift
	mount --bind "$top/nsswitch.conf" /etc/nsswitch.conf
	mount --bind "$top/hosts" /etc/hosts
	exec "$@"
END
run() {
	$sudo unshare -m sh "$top/run" "$top" env -i PATH="$PATH" HOME="$top" \
		LD_LIBRARY_PATH="$top/nss" EMCLI_SOCKET=none EMCLI_DB="$top/store/emcli.db" \
		EMCLI_KEY="$key" EMCLI_ADMIN_KEY="$admin" "$@" >"$top/said" 2>&1
}
key=$(key) admin=$(key)
run "$top/lookup"
[ $? -gt 128 ]
tell $? "a static program that loads a source of names dies of it here"
(umask 077 && echo secret >"$top/password")
run "$emcli" init && run "$emcli" account add work --password-file "$top/password" \
	--backend imap --from a@static.test --username a --imap-host mail.static.test \
	--imap-port 1 && run "$emcli" agent add bot --user daemon
tell $? "a user is found in /etc/passwd"
run "$emcli" list --account work
grep -q refused "$top/said"
tell $? "a host is found in /etc/hosts"
$sudo chown -R nobody "$top/store"
run "$emcli" account list
tell $? "root becomes the store's owner with the groups of /etc/group"
echo "1..$n"
