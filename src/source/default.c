/* What holds for every account when a call does not say. */
#include "base/limits.h"
#include "source/source.h"

int
source_default_page(struct store *s, struct arena *a, uint32_t *out,
    struct err *e)
{
	struct str text;
	uint32_t n;
	int r = store_setting_get(s, a, S("list_limit_default"), &text, e);

	if (r < 0)
		return -1;
	*out = LIMIT_PAGE_DEFAULT;
	if (r == 1 && str_to_u32(text, LIMIT_PAGE, &n) && n > 0)
		*out = n;
	return 0;
}
