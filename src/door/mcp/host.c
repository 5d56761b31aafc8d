/* Which host it is, by the name it gives. */
#include "door/mcp/host.h"

static bool
is_called(const struct mcp_host *host, struct str name)
{
	struct str own = str_of(host->name);

	if (!str_ends(own, S("*")))
		return str_eq_case(own, name);
	own.n--;
	return name.n >= own.n && str_eq_case(own, str_first(name, own.n));
}

const struct mcp_host *
mcp_host_find(struct str name)
{
	for (const struct mcp_host *h = mcp_host_table; h->name != NULL; h++)
		if (is_called(h, name))
			return h;
	return NULL;
}

bool
mcp_host_does(const struct mcp_host *host, enum mcp_host_does what)
{
	return host != NULL && (host->does & what) != 0;
}
