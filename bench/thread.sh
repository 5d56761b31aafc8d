#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Threads out of 100,000 messages in memory: bench/thread.c.
set -eu
cd "$(dirname "$0")/.."
b=${B:-build-bench}
make -s ROOMS="base mime net oauth policy store backend source" B="$b" \
	"$b/libemcli.a"
# shellcheck disable=SC2046
${CC:-gcc} -std=c17 -O2 -D_GNU_SOURCE -Isrc -o "$b/thread" bench/thread.c \
	"$b/libemcli.a" $(pkg-config --libs libssl libcrypto sqlite3 \
	libpcre2-8 jansson libidn2)
"$b/thread"
