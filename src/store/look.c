/* SPDX-License-Identifier: Apache-2.0 */
/* Can a store be used?  Without a key: nothing of it is unsealed. */
#include "store/opening.h"

int
store_look_open(const char *path, struct store **out, struct err *e)
{
	CLEANUP(store_close) struct store *s = NULL;
	mode_t was;
	int r = store_file_check(path, &was, e);

	if (r == 1 && store_connect_open(path, &s, e) < 0)
		return -1;
	if (r == 1)
		r = migrate_known(s, e);
	if (r == 1) {
		*out = s;
		s = NULL;
	}
	return r;
}

int
store_look(const char *path, struct err *e)
{
	CLEANUP(store_close) struct store *s = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };
	int r = store_look_open(path, &s, e);

	if (r < 0)
		return -1;
	if (r == 0) {
		(void)err_set(e, ERR_CONFIG, "there is no database");
		return err_hint(e,
		    "check EMCLI_DB; to create a database: emcli init");
	}
	/* The write lock is taken and given back: the disk may be read-only. */
	return tx_begin(s, &t, e) < 0 ? -1 : migrate_fits(s, e);
}
