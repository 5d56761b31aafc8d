/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the skills in the operations' table with the catalogue. */
#include "op/op.h"
#include "skill/skill.h"

int
op_skills_check(const struct op *const *table, struct err *e)
{
	for (size_t i = 0; table[i] != NULL; i++) {
		const struct op *op = table[i];
		const struct skill *s;

		if (op->skill == NULL)
			continue;
		s = skill_find(str_of(op->skill));
		/* Another spelling of a name is an error too. */
		if (s == NULL || s->whole ||
		    !str_eq(str_of(s->name), str_of(op->skill)) ||
		    !skill_has_op(s, str_of(op->name)))
			return err_set(e, ERR_INTERNAL,
			    "the operation %s is not part of a skill %s",
			    op->name, op->skill);
	}
	return 0;
}
