#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each law is seen to refuse a fault planted in a copy of the tree, and to let
# the same copy pass without it.  TAP: prove tests/laws.sh, from the top folder.
set -u
cc=${CC:-cc}
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
cp -R src LAYERS CIRCLES tools "$top" && mkdir "$top/tests" && cd "$top" || exit 1
n=0

tell() { # STATUS NAME
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
	fi
}

# Runs a law; what it says goes to $top/said.
law() {
	tool=$1
	shift
	"tools/$tool" "$@" >said 2>&1
}

# refuses NAME FILE TEXT WORD LAW...: the law names the line with WORD in it.
refuses() {
	name=$1 file=$2 text=$3 word=$4
	shift 4
	mkdir -p "$(dirname "$file")"
	[ -e "$file" ] && cp "$file" saved
	echo "$text" >>"$file"
	if law "$@"; then
		tell 1 "$1 refuses $name"
	else
		grep -q "^$file:.*$word" said
		tell $? "$1 refuses $name"
	fi
	rm "$file"
	[ ! -e saved ] || mv saved "$file"
}

# object ROOM/FILE TEXT: makes the object of a file with this text.
object() {
	mkdir -p "build/src/$(dirname "$1")" "$(dirname "$1")"
	echo "$2" >planted.c
	$cc -w -fno-builtin -c -o "build/src/$1.o" planted.c
}

# imports ROOM SYMBOL, exports FILE TEXT: then 1 when the law is to refuse it,
# naming the symbol or the object, else 0; then what that shows.
imports() {
	object "$1/planted" "extern int $2(); int planted(void) { return $2(); }"
	law pure "build/src/$1/planted.o"
	[ $? -eq "$3" ] && { [ "$3" -eq 0 ] || grep -q " $2\$" said; }
	tell $? "pure $4"
}
exports() {
	object "$1" "$2"
	law names "build/src/$1.o"
	[ $? -eq "$3" ] && { [ "$3" -eq 0 ] || grep -q "src/$1.o: " said; }
	tell $? "names $4"
}

# circle NAME STATUS TEXT_A TEXT_B: two objects, and CIRCLES as it is then.
circle() {
	object planted/a "$3"
	object planted/b "$4"
	law circles build/src/planted/a.o build/src/planted/b.o
	[ $? -eq "$2" ] && { [ "$2" -eq 0 ] || grep -q "$5" said; }
	tell $? "circles $1"
}

inc() { echo "#include \"$1\""; }

for l in layers names one long spdx; do
	law "$l"
	tell $? "$l lets the tree pass"
done

refuses "a file without its licence" src/policy/planted.c \
    "$(inc policy/policy.h; echo)" "SPDX" spdx
refuses "an arrow not in LAYERS" src/policy/planted.c \
    "$(inc store/store.h)" "policy may not include store" layers
refuses "an arrow that points up" src/base/planted.h \
    "$(inc net/wire.h)" "base may not include net" layers
refuses "html that knows messages" src/html/planted.c \
    "$(inc mime/message.h)" "html may not include mime" layers
refuses "an op that sees a backend" src/op/planted.c \
    "$(inc backend/backend.h)" "op may not include backend" layers
refuses "an agent's door that opens the store" src/door/cli/planted.c \
    "$(inc store/store.h)" "door may not include store" layers
refuses "another room's internal.h" src/gate/planted.c \
    "$(inc store/internal.h)" "another room" layers
refuses "a part's internal.h seen from above" src/backend/planted.c \
    "$(inc backend/imap/internal.h)" "another room" layers
refuses "a backend that looks into another" src/backend/imap/planted.c \
    "$(inc backend/smtp/smtp.h)" "may not look into" layers
refuses "a door that looks into another" src/door/cli/planted.c \
    "$(inc door/form/face.h)" "may not look into" layers
refuses "a door that calls the one for HTTP" src/door/mcp/planted.c \
    "$(inc door/http/http.h)" "may not look into" layers
refuses "the door for HTTP that knows what it serves" src/door/http/planted.c \
    "$(inc door/mcp/mcp.h)" "may not look into" layers
refuses "the top of door looking into a door" src/door/planted.c \
    "$(inc door/form/face.h)" "may not look into" layers
refuses "an include without a room" src/gate/planted.c \
    "$(inc gate.h)" "room/header.h" layers
refuses "a way round by .." src/op/planted.c \
    "$(inc op/../store/store.h)" "room/header.h" layers
refuses "a room's header in angle brackets" src/op/planted.c \
    "#include <store/store.h>" "room/header.h" layers
refuses "a door with forms that opens the store" src/door/form/planted.c \
    "$(inc store/store.h)" "door may not include store" layers

exports store/seen "int store_seen_new(void) { return 0; }" 0 \
    "takes folder and file"
exports store/seen "int seen_new(void) { return 0; }" 0 "takes the file"
exports backend/backend "int backend_check(void) { return 0; }" 0 \
    "takes a file named for its folder"
exports main "int main(void) { return 0; }" 0 "takes main"
exports store/seen "static int any; int *seen_p(void) { return &any; }" 0 \
    "takes any static name"
exports net/seen_static "int seen_new(void) { return 0; }" 0 \
    "takes the file, in whatever program it is"
exports store/seen "int store_ack(void) { return 0; }" 1 \
    "refuses the folder without the file"
exports store/seen "int seenew(void) { return 0; }" 1 \
    "refuses a longer first word"
exports store/seen "int other = 1;" 1 "refuses data with another name"
exports store/seen "const char other[] = {1};" 1 \
    "refuses constants with another name"
exports store/seen "int build_seen(void) { return 0; }" 1 \
    "refuses the build folder as a room"
exports store/seen "int src_seen_new(void) { return 0; }" 1 \
    "refuses src as a room"

refuses "a static name of one word" src/gate/planted.c \
    "$(printf 'static int\nput(void)\n{\n\treturn 0;\n}')" \
    "put does not name" names
refuses "a static name that its room has" src/gate/planted.c \
    "$(printf 'static int\ngate_call_act(void)\n{\n\treturn 0;\n}')" \
    "gate_call_act is in src/gate/call.c" names

for s in memcpy strlen arena_alloc str_eq clock_days pcre2_match_8; do
	imports policy $s 0 "lets policy use $s"
done
for s in open time clock_gettime clock_now getenv fprintf store_rules iconv \
    strftime path_read env_take; do
	imports policy $s 1 "refuses $s in policy"
done
for s in iconv_open html_text clean_text memmem clock_unix EVP_DigestUpdate; do
	imports mime $s 0 "lets mime use $s"
done
for s in memmem clean_text idna_ascii; do
	imports html $s 0 "lets html use $s"
done
for s in open read clock_gettime getenv iconv_open mime_reading_make \
    idn2_lookup_u8 EVP_DigestUpdate; do
	imports html $s 1 "refuses $s in html"
done
imports base/idna idn2_lookup_u8 0 "lets base/idna use idn2_lookup_u8"
imports base/idna open 1 "refuses open in base/idna"
imports base/clean idn2_lookup_u8 1 "refuses idn2_lookup_u8 in base/clean"
imports policy idna_ascii 1 "refuses idna_ascii in policy"
imports mime html_walk 1 "refuses html_walk in mime"
for s in open read write socket connect fopen time clock_gettime getenv \
    secret_read BIO_new_file EVP_EncryptInit_ex; do
	imports mime $s 1 "refuses $s in mime"
done
imports store open 0 "says nothing of other rooms"

refuses "a second caller of an op" src/op/planted.c \
    "	r = op->run(c, out, e);" run one
refuses "a caller of an op behind brackets" src/op/planted.c \
    "	r = (*op->run)(c, out, e);" run one
refuses "an op's function carried away" src/gate/planted.c \
    "	fn = w->op->run;" run one
for f in src/desk/planted.c src/door/cli/planted.c src/door/mcp/planted.c \
    src/door/form/planted.c src/gate/operate.c; do
	refuses "a second pipeline in ${f%/*}" $f \
	    "	return op->run(&call, out, e);" run one
done
refuses "an operation of a door's own" src/door/form/planted.c \
    "	.run = planted_run," run one
refuses "a second table of operations" src/desk/planted.c \
    "const struct op *const planted_table[] = {" planted_table one
refuses "a second table that holds them" src/door/mcp/planted.c \
    "static const struct op rows[] = {" "only in: op" one
refuses "a list of some operations" src/door/skills/planted.c \
    "	{ \"get\", &op_get }," op_get one
refuses "a list of some commands" src/door/cli/planted.c \
    "	&desk_thaw," desk_thaw one
refuses "a second table of commands" src/door/form/planted.c \
    "static const struct op *const more[] = {" "only in: op" one
refuses "a second table of settings" src/gate/planted.c \
    "static const struct setting planted_table[] = {" "struct setting" one
refuses "a table of an account's members" src/source/planted.c \
    "	{ \"mode\", offsetof(struct store_account, mode) }," offsetof one
refuses "rows of settings made into something else" src/desk/planted.c \
    "$(inc store/account_setting_list.h)" account_setting_list one
refuses "a second sender" src/gate/mailbox.c \
    "	r = be->submit(conn, a, s, e);" submit one
refuses "a backend's sender called from an op" src/op/planted.c \
    "	r = be->submit (conn, a, s, e);" submit one
refuses "a reader of secrets who is not listed" src/gate/planted.c \
    "	(void)secret_lend(s, fn, ctx);" secret_lend one
refuses "math.h" src/policy/planted.c "#include <math.h>" math one
refuses "jansson elsewhere" src/base/json.c "#include <jansson.h>" jansson one
refuses "libyaml elsewhere" src/base/yaml_put.c "#include <yaml.h>" yaml one
refuses "OpenSSL elsewhere" src/store/audit.c "# include <openssl/evp.h>" \
    openssl one
refuses "OpenSSL in another room" src/gate/planted.h \
    "#include <openssl/ssl.h>" openssl one
refuses "OpenSSL elsewhere in mime" src/mime/dkim.c \
    "#include <openssl/evp.h>" openssl one
refuses "SQLite outside the store" src/gate/planted.c "#include <sqlite3.h>" \
    sqlite3 one
refuses "SQLite above its driver" src/store/audit.c "#include <sqlite3.h>" \
    sqlite3 one
refuses "libevent outside the door for it" src/door/mcp/planted.c \
    "#include <event2/event.h>" event2 one
refuses "a second place that asks who is at a socket's end" \
    src/runtime/planted.c \
    "	r = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &is, &n);" SO_PEERCRED one
refuses "a second place that confines a process" src/door/serve/planted.c \
    "	r = syscall(SYS_landlock_restrict_self, fd, 0);" SYS_landlock one
refuses "a filter of system calls elsewhere" src/net/planted.c \
    "#include <seccomp.h>" seccomp one
refuses "a program executed elsewhere" src/desk/planted.c \
    "	r = posix_spawn(&pid, path, NULL, NULL, argv, environ);" posix_spawn one
refuses "the web asked by another of the doors' files" \
    src/door/skills/planted.c '#include "net/http.h"' http one
refuses "facts of a message for policy in two places" src/gate/planted.c \
    "	const struct policy_mail pm = { .from = x };" policy_mail one
refuses "a library that is loaded late in both programs" src/net/planted.c \
    "#include <dlfcn.h>" dlfcn one
refuses "iconv(3) in both programs" src/mime/planted.c "#include <iconv.h>" \
    iconv one
refuses "libidn2 in another file" src/mime/planted.c "#include <idn2.h>" idn2 one
refuses "PCRE2 outside policy" src/gate/planted.c "#include <pcre2.h>" pcre2 one

cp CIRCLES named && : >CIRCLES
a_to_b="extern int b(); int a(void) { return b(); }"
circle "lets an arrow be" 0 "$a_to_b" "int b(void) { return 0; }" ""
circle "refuses two files that take from each other" 1 "$a_to_b" \
    "extern int a(); int b(void) { return a(); }" \
    "^src/planted/b.c: .* takes a of src/planted/a.c"
circle "refuses a table that names a function that asks the table" 1 \
    "extern int b(); int (*const a[])(void) = { b };" \
    "extern int (*const a[])(); int b(void) { return a[0](); }" \
    "^src/planted/a.c: .* takes b of"
echo "src/planted/a.c src/planted/b.c" >CIRCLES
circle "lets one be that is named" 0 "$a_to_b" \
    "extern int a(); int b(void) { return a(); }" ""
circle "refuses a name for none" 1 "$a_to_b" "int b(void) { return 0; }" \
    "^CIRCLES: src/planted/a.c is in no circle"
echo "src/planted/a.c" >CIRCLES
circle "refuses one file more than is named" 1 "$a_to_b" \
    "extern int a(); int b(void) { return a(); }" "takes a of"
mv named CIRCLES

refuses "a file of 501 lines" src/gate/planted.c "$(yes ';' | head -501)" \
    "over 500" long
refuses "a long test" tests/planted.c "$(yes ';' | head -501)" "over 500" long
yes ';' | head -500 >src/gate/planted.c
law long
! grep -q planted said
tell $? "long lets 500 lines pass"

echo "1..$n"
