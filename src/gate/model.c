/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the model, and the file for its conversation. */
#include "gate/model.h"

#include "base/buf.h"
#include "gate/internal.h"
#include "store/model.h"

enum {
	NAMES_SHOWN = 120,
	TRANSCRIPT_NAME = 64
};

/* "a, b, c", cut to the room in an error. */
static struct str
gate_model_list_names(struct arena *a, const struct store_model *v, size_t n)
{
	struct buf b;

	buf_init(&b, a, 1 << 16);
	for (size_t i = 0; i < n && b.n < NAMES_SHOWN; i++)
		buf_fmt(&b, "%s%.*s", i > 0 ? ", " : "", STR_ARG(v[i].name));
	return str_first(buf_view(&b), NAMES_SHOWN);
}

/* The default name, if the caller gave none. */
static int
gate_model_assume_name(struct gate *g, struct arena *a,
    const struct store_model *v, size_t n, struct str *name, struct err *e)
{
	int r = store_setting_get(g->store, a, S(STORE_MODEL_DEFAULT), name, e);

	if (r < 0)
		return -1;
	if (r == 1 && !str_eq(*name, S("none")))
		return 0;
	if (n > 1)
		return err_set(e, ERR_USAGE,
		    "name a model with --model; there are %.*s",
		    STR_ARG(gate_model_list_names(a, v, n)));
	*name = v[0].name;
	return 0;
}

int
gate_model_find(struct gate *g, struct arena *a, struct str name,
    struct gate_model *out, struct err *e)
{
	struct store_model *v;
	size_t n;

	if (store_model_list(g->store, a, &v, &n, e) < 0)
		return -1;
	if (n == 0) {
		(void)err_set(e, ERR_CONFIG,
		    "there is no model: the operator adds one with emcli "
		    "model add");
		return err_hint(e, "emcli model add NAME --url URL");
	}
	if (name.n == 0 && gate_model_assume_name(g, a, v, n, &name, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (!str_eq(v[i].name, name))
			continue;
		*out = (struct gate_model){ v[i].url, v[i].id, v[i].key_file,
			v[i].ca_file };
		return 0;
	}
	return err_set(e, ERR_NOT_FOUND,
	    "the model does not exist; there are %.*s",
	    STR_ARG(gate_model_list_names(a, v, n)));
}

/* Letters, digits and "_-": never a name with a special meaning in a folder. */
static bool
gate_model_is_transcript_name(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!str_has_char(S("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
				    "qrstuvwxyz"
				    "0123456789_-"),
			name.p[i]))
			return false;
	return name.n > 0 && name.n <= TRANSCRIPT_NAME;
}

int
gate_model_transcript(struct gate *g, struct arena *a, struct str name,
    struct str *folder, struct str *file, struct err *e)
{
	int r;

	if (!gate_model_is_transcript_name(name))
		return err_set(e, ERR_USAGE,
		    "give a transcript's name, not a path: 1 to %d of A-Z "
		    "a-z 0-9 _ -",
		    TRANSCRIPT_NAME);
	r = store_setting_get(g->store, a, S("transcript_dir"), folder, e);
	if (r < 0)
		return -1;
	if (r == 0 || str_eq(*folder, S("none"))) {
		(void)err_set(e, ERR_CONFIG,
		    "there is no folder for transcripts: the operator names "
		    "one by emcli config set transcript_dir");
		return err_hint(e, "emcli config set transcript_dir FOLDER");
	}
	/* No agent's name contains "+", nor does a name accepted above. */
	*file =
	    str_fmt(a, "%.*s+%.*s.jsonl", STR_ARG(g->principal), STR_ARG(name));
	return 0;
}
