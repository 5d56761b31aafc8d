/* What init does to a store of its own is written down as any change is. */
#include "door/admin/internal.h"
#include "gate/operate.h"

int
record_run(struct admin_call *c, struct err *e)
{
	int64_t audit = 0;

	if (operate_record(c->store, c->arena, c->command->name, c->args,
		&audit, e) < 0)
		return -1;
	(void)c->command->run(c, e);
	operate_recorded(c->store, audit, c->done, e);
	return e->kind == ERR_NONE ? 0 : -1;
}
