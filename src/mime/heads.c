/* SPDX-License-Identifier: Apache-2.0 */
#include "mime/heads.h"

#include "mime/elsewhere.h"
#include "mime/internal.h"

void
heads_here(struct arena *a, struct str head, struct str said,
    struct str authserv_id, struct mime_head *out)
{
	(void)said;
	*out = (struct mime_head){ 0 };
	envelope_here(a, head, &out->env);
	out->auth = authres_judge(a, head, authserv_id,
	    address_domain(out->env.from_sole));
}

void
mime_heads_read(struct arena *a, struct str head, struct str said,
    struct str authserv_id, struct mime_head *out)
{
	if (mime_elsewhere_by != NULL)
		mime_elsewhere_by->head(a, head, said, authserv_id, out);
	else
		heads_here(a, head, said, authserv_id, out);
}

bool
mime_heads_elsewhere(void)
{
	return mime_elsewhere_by != NULL;
}

void
mime_heads_ahead(struct arena *a, const struct str *head, size_t n,
    struct str authserv_id, struct str *said)
{
	if (mime_elsewhere_by != NULL)
		mime_elsewhere_by->heads(a, head, n, authserv_id, said);
	else
		memset(said, 0, n * sizeof(*said));
}
