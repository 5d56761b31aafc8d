#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Reading mail: ours beside gmime, then ours under torture at n and 2n.
# More folders of messages may be given: bench/mime.sh ~/Maildir/cur
set -eu
cd "$(dirname "$0")/.."
b=${B:-build-bench}
make -s ROOMS="base html mime" B="$b" "$b/libemcli.a"
# shellcheck disable=SC2046
${CC:-gcc} -std=c17 -O2 -D_GNU_SOURCE -Isrc -o "$b/mime" bench/mime.c \
	"$b/libemcli.a" $(pkg-config --cflags --libs gmime-3.0 libidn2 jansson \
	libcrypto)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 bench/mime_make.py "$tmp"
"$b/mime" "$tmp/plain"
for dir in "$@"; do
	"$b/mime" "$dir"
done
"$b/mime" --torture "$tmp/torture"
