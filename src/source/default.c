/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults for every account. */
#include "base/limits.h"
#include "source/source.h"

static int
source_default_read_number(struct store *s, struct arena *a, struct str key,
    uint32_t max, uint32_t def, uint32_t *out, struct err *e)
{
	struct str text;
	uint32_t n;
	int r = store_setting_get(s, a, key, &text, e);

	if (r < 0)
		return -1;
	*out = def;
	if (r == 1 && str_to_u32(text, max, &n) && n > 0)
		*out = n;
	return 0;
}

int
source_default_page(struct store *s, struct arena *a, uint32_t *out,
    struct err *e)
{
	return source_default_read_number(s, a, S("list_limit_default"),
	    LIMIT_PAGE, LIMIT_PAGE_DEFAULT, out, e);
}

int
source_default_window(struct store *s, struct arena *a, uint32_t *out,
    struct err *e)
{
	return source_default_read_number(s, a, S("mcp_max_body"), LIMIT_WINDOW,
	    LIMIT_WINDOW_DEFAULT, out, e);
}
