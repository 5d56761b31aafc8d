#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A backend here and in another process: bench/wired.c.
set -eu
cd "$(dirname "$0")/.."
b=${B:-build-bench}
make -s ROOMS="base html mime net oauth ipc backend" B="$b" "$b/libemcli.a"
# shellcheck disable=SC2046
${CC:-gcc} -std=c17 -O2 -D_GNU_SOURCE -Isrc -o "$b/wired" bench/wired.c \
	"$b/libemcli.a" $(pkg-config --libs libssl libcrypto sqlite3 \
	libpcre2-8 jansson libidn2 libcurl zlib liblzma yaml-0.1)
"$b/wired" | tee "$b/wired.out"
rm -r "$(sed -n 's/ can be removed$//p' "$b/wired.out")"
