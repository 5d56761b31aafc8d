#!/bin/sh
# What CONTRIBUTING says of a new setting, done as it is written there in a copy
# of the tree: the setting is then everywhere.  TAP: prove tests/setting.sh, from
# the top folder, with build/ made.  Only what includes the account is compiled,
# and not optimized.
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

# block N: the Nth block of code below the recipe's heading.
block() {
	awk -v n="$1" '
	/^## / { ours = /To add a setting/ }
	/^```/ { if (ours && !inside) i++; inside = !inside; next }
	ours && inside && i == n' CONTRIBUTING.md
}

# finds WORD COMMAND...: what the command says has it.
finds() {
	word=$1
	shift
	"$@" >said 2>&1
	grep -q -- "$word" said
}

make --no-print-directory -s -j2 all >/dev/null || exit 1
for f in Makefile LAYERS CONTRIBUTING.md src tools skills doc; do
	cp -a "$f" "$top"
done
mkdir "$top/build"
cp -a build/found.mk build/below.mk build/gen build/src "$top/build"
cd "$top" || exit 1

echo 1..9
block 1 >member
sed -i '/^	bool has_password;/r member' src/store/store.h
block 2 >row
sed -i -e '/^#undef SETTING$/r row' -e '/^#undef SETTING$/d' \
	src/store/account_setting_list.h
echo "#undef SETTING" >>src/store/account_setting_list.h
block 3 >src/store/migrations/900_note.sql
ok "the recipe is under 30 lines" \
	test "$(cat member row src/store/migrations/900_note.sql | wc -l)" -lt 30
ok "it compiles" make --no-print-directory -s -j2 CFLAGS=-O0 all

EMCLI_DB=$top/db/emcli.db
EMCLI_ADMIN_KEY=$(build/emcli key generate)
EMCLI_KEY=$(build/emcli key generate)
export EMCLI_DB EMCLI_ADMIN_KEY EMCLI_KEY
mkdir -p db box/cur box/new box/tmp
chmod 700 db
cat >project.md <<'END'
## Mail sources
| Backend | Role | Mandatory | Notes |
|---|---|---|---|
| maildir | primary | yes | |

| Key | Backend | Value |
|---|---|---|
| account_note | maildir | from a file |
END
build/emcli init >said 2>&1 || sed 's/^/# /' said
ok "account add takes it" build/emcli account add work --backend maildir \
	--path box --from me@a.example --note "the first"
ok "account show has it" finds '"note": *"the first"' \
	build/emcli account show work --json
ok "account edit changes it" finds 'note: the first -> the second' \
	build/emcli account edit work --note "the second"
ok "source import sets it" finds 'note: the second -> from a file' \
	build/emcli source import project.md
ok "help of add has it" finds ' --note TEXT' build/emcli help account add
ok "help of edit has it" finds ' --note TEXT' build/emcli help account edit
ok "the manual has it" finds 'Fl -note' build/emcli manual commands
