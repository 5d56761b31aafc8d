/* SPDX-License-Identifier: Apache-2.0 */
/* An operation by the name a caller gave. */
#include "op/op.h"

static const struct op *
find_op(const struct op *const *table, struct str name)
{
	for (size_t i = 0; table[i] != NULL; i++) {
		const char *want = table[i]->name;
		size_t k = 0;

		while (k < name.n && want[k] != '\0' &&
		    (want[k] == name.p[k] ||
			(want[k] == '_' && name.p[k] == '-')))
			k++;
		if (k == name.n && want[k] == '\0')
			return table[i];
	}
	return NULL;
}

const struct op *
op_find(struct str name)
{
	return find_op(op_table, name);
}

const struct op *
op_find_mail(struct str name)
{
	return find_op(op_table_mail, name);
}
