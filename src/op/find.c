/* An operation by the name a caller gave. */
#include "op/op.h"

const struct op *
op_find(struct str name)
{
	for (size_t i = 0; op_table[i] != NULL; i++) {
		const char *want = op_table[i]->name;
		size_t k = 0;

		while (k < name.n && want[k] != '\0' &&
		    (want[k] == name.p[k] ||
			(want[k] == '_' && name.p[k] == '-')))
			k++;
		if (k == name.n && want[k] == '\0')
			return op_table[i];
	}
	return NULL;
}
