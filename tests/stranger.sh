#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What CONTRIBUTING says of a new setting, command and warning, done as it is written
# there in a copy of the tree: each is then everywhere.  TAP: prove tests/stranger.sh,
# or sh tests/stranger.sh warning for that recipe alone; from the top folder.  Only
# what includes a changed header is compiled, and not optimized.
set -u
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
n=0

# ok NAME COMMAND...: the command does well.
ok() {
	name=$1
	shift
	n=$((n + 1))
	"$@" >said 2>&1 && echo "ok $n - $name" && return
	echo "not ok $n - $name"
	sed 's/^/# /' said
}

# finds WORD COMMAND...: what the command says has it.
finds() {
	word=$1
	shift
	"$@" >said 2>&1
	grep -q -- "$word" said
}

# The same, and the command fails; or the command says nothing of the word.
refused() {
	word=$1
	shift
	! "$@" >said 2>&1 && grep -q -- "$word" said
}
lacks() {
	word=$1
	shift
	"$@" >said 2>&1 && ! grep -q -- "$word" said
}

# recipe HEADING: block() is about it, and no line of it is counted yet.
recipe() {
	heading=$1
	lines=0
}

# block N: the Nth block of code below the heading, into the file `block`.
block() {
	awk -v n="$1" -v heading="## $heading" '
	/^## / { ours = $0 == heading }
	/^```/ { if (ours && !inside) i++; inside = !inside; next }
	ours && inside && i == n' CONTRIBUTING.md >block
	lines=$((lines + $(wc -l <block)))
	ok "block $1 is there" test -s block
}

# before N FILE PATTERN: the Nth block goes before the first line that matches.
before() {
	block "$1"
	awk -v re="$3" '
	!done && $0 ~ re { while ((getline l <"block") > 0) print l; done = 1 }
	1; END { exit !done }' "$2" >edited
	ok "$2 has a place for it" test $? -eq 0
	mv edited "$2"
}

# file N FILE: the Nth block is a new file.
file() {
	block "$1"
	mv block "$2"
}

# short: the recipe is one.
short() {
	ok "'$heading' takes $lines lines, under 30" test "$lines" -lt 30
}

setting_add() {
	recipe "To add a setting of accounts"
	before 1 src/store/store.h '^	bool has_password;'
	before 2 src/store/account_setting_list.h '^#undef SETTING$'
	file 3 src/store/migrations/900_note.sql
	short
}

setting_look() {
	cat >project.md <<'END'
## Mail sources
| Backend | Role | Mandatory | Notes |
|---|---|---|---|
| maildir | primary | yes | |

| Key | Backend | Value |
|---|---|---|
| account_note | maildir | from a file |
END
	ok "account add takes it" build/emcli account add noted \
		--backend maildir --path box --from me@a.example --note "the first"
	ok "account show has it" finds '"note": *"the first"' \
		build/emcli account show noted --json
	ok "account edit changes it" finds 'note: the first -> the second' \
		build/emcli account edit noted --note "the second"
	ok "source import sets it" finds 'note: the second -> from a file' \
		build/emcli source import project.md
	ok "help of add has it" finds ' --note TEXT' build/emcli help account add
	ok "help of edit has it" finds ' --note TEXT' build/emcli help account edit
	ok "the manual has it" finds 'Fl -note' build/emcli manual commands
	ok "it goes" build/emcli account remove noted --yes
}

command_add() {
	recipe "To add an operator's command"
	file 1 src/desk/tidy.c
	before 2 src/desk/desk.h 'desk_unack;'
	before 3 src/desk/table.c '&desk_unack,'
	short
}

# mcp_calls TOOL: what an agent's host is told that calls it.
mcp_calls() {
	printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{
"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}' |
		tr -d '\n' >asked
	printf '\n{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"%s"}}\n' \
		"$1" >>asked
	env -u EMCLI_ADMIN_KEY build/emcli mcp <asked
}

command_look() {
	ok "help has the command" finds '^usage: emcli tidy \[--json\]' \
		build/emcli help tidy
	ok "help has its result" finds '^  tidied: ' build/emcli help tidy
	ok "help of all has it" finds '^  tidy ' build/emcli help
	ok "a person is told" finds '^purged' build/emcli tidy
	ok "a program is told" finds '^{"tidied":true}$' build/emcli tidy --json
	ok "the schema has it" finds '"name":"tidy".*"tidied":{' \
		build/emcli schema tidy
	ok "completion has it" finds ' tidy' build/emcli completion bash
	ok "the manual has it" finds '^\.Ss tidy' build/emcli manual commands
	ok "the audit log has its row" \
		finds '"principal":"operator",[^}]*"action":"tidy",[^}]*"ok"' \
		build/emcli audit list --json
	ok "an agent's key does not open it" refused 'requires EMCLI_ADMIN_KEY' \
		env -u EMCLI_ADMIN_KEY build/emcli tidy
	ok "the attempt has its row too" \
		finds '"action":"tidy","target":"[^"]*","result":"blocked"' \
		build/emcli audit list --json
	ok "no host can call it" finds 'unknown tool \\"tidy\\"' mcp_calls tidy
	ok "no schema for agents has it" lacks tidy build/emcli schema
}

warning_add() {
	recipe "To add a warning"
	before 1 src/gate/warning.h '^	WARN_NO_MESSAGE_ID,'
	before 2 src/gate/warning.c '^	\[WARN_NO_MESSAGE_ID\]'
	before 3 src/op/get_warn.c '^	gate_warn\(c, WARN_LOOP,'
	short
}

# letter NAME [HEADER]: a message of the mailbox.
letter() {
	printf 'From: a@b.example\nTo: me@a.example\nMessage-ID: <%s@b.example>\n%sDate: Mon, 1 Jun 2026 10:00:00 +0000\n\nWords.\n' \
		"$1" "${2-}" >"box/cur/$1:2,"
}

manual_page() {
	make --no-print-directory -s CFLAGS="-O0 -g0" build/doc/emcli-reply.5 &&
		cat build/doc/emcli-reply.5
}

warning_look() {
	letter 1
	letter 2 'Subject: one
'
	{
		build/emcli account add work --backend maildir --path box \
			--from me@a.example
		build/emcli whitelist in add --account work a@b.example
	} >said 2>&1 || sed 's/^/# /' said
	ok "the reply has it" finds '"warnings":\[[^]]*"no_subject"' \
		build/emcli get --account work --folder INBOX --uid 1
	ok "and how often" finds '"warning_counts":{[^}]*"no_subject":1' \
		build/emcli get --account work --folder INBOX --uid 1
	ok "a message with a subject has none" lacks no_subject \
		build/emcli get --account work --folder INBOX --uid 2
	ok "the schema has where it is" finds '"warnings":{[^}]*"array"' \
		build/emcli schema get
	ok "the manual has it" finds '^\.It Sy no_subject' \
		build/emcli manual warnings
	ok "the page of replies has it" finds no_subject \
		manual_page
	ok "the skill that reads mail has it" finds '^| `no_subject` |' \
		build/emcli skill show mail-read --path references/warnings.md
}

make --no-print-directory -s -j2 all >/dev/null || exit 1
for f in Makefile LAYERS CONTRIBUTING.md src tools skills doc; do
	cp -a "$f" "$top"
done
mkdir "$top/build"
cp -a build/found.mk build/below.mk build/gen build/src build/skillgen "$top/build"
cd "$top" || exit 1

[ $# -gt 0 ] || set -- setting command warning
for r; do
	"${r}_add"
done
ok "it compiles" make --no-print-directory -s -j2 CFLAGS="-O0 -g0" all

EMCLI_DB=$top/db/emcli.db
EMCLI_ADMIN_KEY=$(build/emcli key generate)
EMCLI_KEY=$(build/emcli key generate)
export EMCLI_DB EMCLI_ADMIN_KEY EMCLI_KEY
mkdir -p db box/cur box/new box/tmp
chmod 700 db
build/emcli init >said 2>&1 || sed 's/^/# /' said
for r; do
	"${r}_look"
done
echo "1..$n"
