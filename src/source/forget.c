/* SPDX-License-Identifier: Apache-2.0 */
/* Deletes the files beside the store of a removed account. */
#include "source/source.h"

/* Does another account share the files? */
static bool
source_forget_is_shared(struct store *s, struct arena *a,
    const struct source *gone, struct str prefix)
{
	struct store_account *v = NULL;
	struct err ignored = { 0 };
	size_t n = 0;

	/* In doubt the files stay. */
	if (store_account_list(s, a, &v, &n, &ignored) < 0)
		return true;
	for (size_t i = 0; i < n; i++) {
		struct source other;

		if (str_eq(v[i].name, gone->acct.name) ||
		    source_resolve_given(&v[i], 0, &other, &ignored) < 0)
			continue;
		if (other.be == gone->be &&
		    str_eq(backend_cache_prefix(a, other.be, &other.view),
			prefix))
			return true;
	}
	return false;
}

void
source_forget(struct store *s, struct arena *a, const struct source *gone)
{
	struct str prefix = backend_cache_prefix(a, gone->be, &gone->view);

	if (prefix.n > 0 && !source_forget_is_shared(s, a, gone, prefix))
		backend_cache_forget(&gone->view, prefix);
}
