/* SPDX-License-Identifier: Apache-2.0 */
/* zlib and liblzma, as the static program has them: linked. */
#include "backend/mbox/unpack.h"

int
mbox_unpack_zlib(struct unpack_zlib *out, struct err *e)
{
	(void)e;
	*out = (struct unpack_zlib){ inflateInit2_, inflate, inflateReset,
		inflateEnd };
	return 0;
}

int
mbox_unpack_lzma(struct unpack_lzma *out, struct err *e)
{
	(void)e;
	*out = (struct unpack_lzma){ lzma_stream_decoder, lzma_code, lzma_end };
	return 0;
}
