/* The last moment at which a message can still be kept from leaving. */
#include "backend/backend.h"

int
backend_submit_look(const struct submission *s, struct err *e)
{
	return s->look != NULL ? s->look(s->ctx, e) : 0;
}
