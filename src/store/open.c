/*
 * Opening: the key first, so that without one nothing is touched; then the
 * file, its migrations, the DEK, and the purge every run owes the audit log.
 */
#include "base/clock.h"
#include "store/audit.h"
#include "store/internal.h"

static int
no_database(const char *path, struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "there is no database: run emcli init");
	return err_because(e, "%s", path);
}

static int
unlock(struct store *s, const struct key *k, struct err *e)
{
	int r = store_key_unwrap(s, k, &s->dek, e);

	return r == 0 ? store_key_refuse(k, e) : r < 0 ? -1 : 0;
}

int
store_open(const char *path, enum store_role role, const struct store_keys *k,
    struct store **out, struct err *e)
{
	CLEANUP(store_key_done) struct key key = { 0 };
	CLEANUP(store_close) struct store *s = NULL;
	int r;

	if (store_key_pick(role, k, &key, e) < 0)
		return -1;
	r = store_file_check(path, e);
	if (r <= 0)
		return r == 0 ? no_database(path, e) : -1;
	if (store_connect_open(path, &s, e) < 0)
		return -1;
	s->role = role;
	r = migrate_known(s, e);
	if (r <= 0)
		return r == 0 ? no_database(path, e) : -1;
	/* A key that does not fit changes nothing, not even the schema. */
	if (unlock(s, &key, e) < 0 || migrate_run(s, migrations_all, e) < 0 ||
	    store_audit_purge(s, clock_now(), e) < 0)
		return -1;
	*out = s;
	s = NULL;
	return 0;
}
