/* SPDX-License-Identifier: Apache-2.0 */
/* What a model's settings may be. */
#include "desk/model.h"

#include "base/env.h"
#include "base/secret.h"
#include "source/endpoint.h"

enum {
	NAME_MAX_BYTES = 64
};

static bool
model_is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!str_has_char(S("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
				    "qrstuvwxyz"
				    "0123456789._:/-"),
			s.p[i]))
			return false;
	return s.n > 0 && s.n <= NAME_MAX_BYTES && !str_eq(s, S("none"));
}

/* Reports an unusable key now. */
static int
model_check_key(struct arena *a, struct str path, struct err *e)
{
	CLEANUP(secret_close) struct secret *key = NULL;

	if (path.n == 0)
		return 0;
	return env_key_read("--key-file", str_c(a, path), &key, e);
}

int
model_check(struct arena *a, const struct store_model *x, struct err *e)
{
	bool usable;

	if (!model_is_name(x->name))
		return err_set(e, ERR_USAGE,
		    "a model's name is 1 to %d of A-Z a-z 0-9 . _ : / -, "
		    "and not \"none\": put its name at the endpoint into "
		    "--id",
		    NAME_MAX_BYTES);
	if (endpoint_ok(x->url, &usable, e) < 0)
		return -1;
	if (!usable)
		return err_set(e, ERR_USAGE,
		    "--url takes https://HOST[:PORT]/PATH, or http:// on "
		    "this machine: elsewhere others could read the mail on "
		    "its way");
	return model_check_key(a, x->key_file, e);
}

int
model_check_new(struct arena *a, const struct store_model *x, struct err *e)
{
	if (str_starts(x->name, S("-")))
		return err_set(e, ERR_USAGE,
		    "a model's name does not begin with -: put its name at the "
		    "endpoint into --id");
	return model_check(a, x, e);
}
