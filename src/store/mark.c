/* SPDX-License-Identifier: Apache-2.0 */
/* Marks on data that strangers return to emcli. */
#include "store/mark.h"

#include "store/keeping.h"

int
store_mark(struct store *s, struct arena *a, enum store_label label,
    struct str text, struct str *hex, struct err *e)
{
	unsigned char raw[SEAL_HASH];

	if (keeper_mac(s, label, text, raw, e) < 0)
		return -1;
	*hex = str_hex_dup(a, raw, sizeof(raw));
	return 0;
}

int
store_mark_root(void *store, struct str bytes, unsigned char out[32],
    struct err *e)
{
	return keeper_mac(store, STORE_LABEL_ROOT, bytes, out, e);
}

int
store_mark_root_fits(void *store, struct str bytes, const unsigned char mac[32],
    struct err *e)
{
	return keeper_fits(store, STORE_LABEL_ROOT, bytes, mac, e);
}
