/* Marks on data that strangers return to emcli. */
#include "store/mark.h"

#include "store/internal.h"
#include "store/seal.h"

static void
secret_done(struct secret **s)
{
	secret_close(s);
}

int
store_mark(struct store *s, struct arena *a, struct str what, struct str text,
    struct str *hex, struct err *e)
{
	static const char digits[] = "0123456789abcdef";
	CLEANUP(secret_done) struct secret *key = NULL;
	unsigned char raw[SEAL_HASH];
	char *out;

	if (seal_derive(s->dek, what, &key, e) < 0 ||
	    seal_mac(key, text, raw, e) < 0)
		return -1;
	out = arena_alloc(a, 2 * sizeof(raw) + 1);
	for (size_t i = 0; i < sizeof(raw); i++) {
		out[2 * i] = digits[raw[i] >> 4];
		out[2 * i + 1] = digits[raw[i] & 15];
	}
	*hex = (struct str){ out, 2 * sizeof(raw) };
	return 0;
}
