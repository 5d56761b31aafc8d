/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_MBOX_UNPACK_H
#define BACKEND_MBOX_UNPACK_H

/*
 * zlib and liblzma, for unpack.c alone.  The shared program loads them at the
 * first compressed file, since most archives have none.
 */
#include <lzma.h>
#include <zlib.h>

#include "base/err.h"

struct unpack_zlib {
	__typeof__(inflateInit2_) *init;
	__typeof__(inflate) *step;
	__typeof__(inflateReset) *again;
	__typeof__(inflateEnd) *end;
};

struct unpack_lzma {
	__typeof__(lzma_stream_decoder) *init;
	__typeof__(lzma_code) *step;
	__typeof__(lzma_end) *end;
};

/* ERR_CONFIG if the library is not installed. */
int mbox_unpack_zlib(struct unpack_zlib *out, struct err *e);
int mbox_unpack_lzma(struct unpack_lzma *out, struct err *e);

#endif
