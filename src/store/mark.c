/* Marks on data that strangers return to emcli. */
#include "store/mark.h"

#include "store/internal.h"
#include "store/seal.h"

static void
secret_done(struct secret **s)
{
	secret_close(s);
}

static int
store_mark_sign(struct store *s, struct str what, struct str text,
    unsigned char out[SEAL_HASH], struct err *e)
{
	CLEANUP(secret_done) struct secret *key = NULL;

	return seal_derive(s->dek, what, &key, e) < 0
	    ? -1
	    : seal_mac(key, text, out, e);
}

int
store_mark(struct store *s, struct arena *a, struct str what, struct str text,
    struct str *hex, struct err *e)
{
	unsigned char raw[SEAL_HASH];

	if (store_mark_sign(s, what, text, raw, e) < 0)
		return -1;
	*hex = str_hex_dup(a, raw, sizeof(raw));
	return 0;
}

int
store_mark_root(void *store, struct str bytes, unsigned char out[32],
    struct err *e)
{
	return store_mark_sign(store, S("agentbox"), bytes, out, e);
}
