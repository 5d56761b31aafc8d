#!/bin/sh
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

# runs PID: it does, and is no zombie that nobody has asked after.
runs() {
	grep -qs '^State:.[^Z]' "/proc/$1/status"
}

program 'exit 3'
tests/limited "$top/program"
[ $? -eq 3 ]
tell $? "limited hands the status over"

program "sleep 600 & echo \$! >$top/child; sleep 600"
TEST_LIMIT_S=1 tests/limited "$top/program" 2>"$top/said"
[ $? -eq 137 ] && grep -q "ended after 1 s" "$top/said"
tell $? "limited ends what does not end, and says so"
! runs "$(cat "$top/child")"
tell $? "limited ends its children, too"

program "sleep 600 & echo \$! >$top/child"
[ -z "$(tests/limited "$top/program")" ] &&
	! runs "$(cat "$top/child")"
tell $? "limited leaves no child behind that holds a pipe"

echo "1..$n"
