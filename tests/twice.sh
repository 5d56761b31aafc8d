#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The program built once more, in another folder, is the same to the byte.  TAP:
# prove tests/twice.sh, from the top folder, with build/ made, or with STATIC=1
# and build-static/.  To be quick it compiles what is generated and every STEP-th
# file there, and takes the other objects as they are: STEP=1 compiles all.
set -u
step=${STEP:-20} static=${STATIC:-}
b=build${static:+-static}
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
there=$top/another/folder
mkdir -p "$there/$b"

make --no-print-directory -s -j2 STATIC="$static" all >/dev/null || exit 1
for f in Makefile LAYERS src tools skills doc; do
	cp -a "$f" "$there"
done
commit=$(cat $b/gen/commit)
cp -a $b/found.mk $b/src "$there/$b"
(
	cd "$there" || exit 1
	find $b/src -name '*.o' | sort |
		awk -v n="$step" 'NR % n == 1 || n == 1' | xargs rm $b/src/main.o
	ls -d "$there" >"$top/names"
	pwd -P >>"$top/names"
	make --no-print-directory -s -j2 STATIC="$static" COMMIT="$commit" all >"$top/said" 2>&1
) || sed 's/^/# /' "$top/said"

echo 1..2
name="the program of another folder is the same"
cmp $b/emcli "$there/$b/emcli" && echo "ok 1 - $name" ||
	echo "not ok 1 - $name"
name="no folder's name is in it"
! grep -qaFf "$top/names" "$there/$b/emcli" && echo "ok 2 - $name" ||
	echo "not ok 2 - $name"
