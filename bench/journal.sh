#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The journal of a change to 1,000 messages: bench/journal.c.
set -eu
cd "$(dirname "$0")/.."
b=${B:-build-bench}
make -s ROOMS="base policy store" B="$b" "$b/libemcli.a"
# shellcheck disable=SC2046
${CC:-gcc} -std=c17 -O2 -D_GNU_SOURCE -Isrc -o "$b/journal" bench/journal.c \
	"$b/libemcli.a" $(pkg-config --libs libssl libcrypto sqlite3 \
	libpcre2-8 jansson libidn2 yaml-0.1)
d=$(mktemp -d)
chmod 700 "$d"
trap 'rm -rf "$d"' EXIT
"$b/journal" "$d"
