/* emcli store check: is the database sound? */
#include "store/check.h"

#include "base/clean.h"
#include "desk/desk.h"

static const struct field result[] = {
	{ "sound", FIELD_BOOL, .help = "is nothing wrong?" },
	{ "faults", FIELD_TEXTS, .help = "what is wrong, at most 100" },
	{ 0 },
};

static int
store_check_run(struct call *c, struct json *out, struct err *e)
{
	struct strs faults;

	if (store_check(operate_store(c), c->arena, &faults, e) < 0)
		return -1;
	json_put_bool(out, "sound", faults.n == 0);
	json_open_array(out, "faults");
	for (size_t i = 0; i < faults.n; i++) {
		struct str one = clean_text(c->arena, faults.v[i], NULL);

		json_put_str(out, NULL, one);
		gate_tell(c, "%.*s", STR_ARG(one));
	}
	json_close_array(out);
	if (faults.n == 0) {
		gate_tell(c,
		    "the database is sound: its pages, secrets, audit log and "
		    "signed rows");
		return 0;
	}
	(void)err_set(e, ERR_DB, "the database has %zu fault%s", faults.n,
	    faults.n == 1 ? "" : "s");
	return err_hint(e,
	    "what was changed without emcli: emcli audit verify says more; a "
	    "broken file: emcli store restore");
}

const struct op desk_store_check = {
	.name = "store check",
	.summary = "Check the database: pages, secrets, audit log, signed rows",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.report = true,
	.args = args_none,
	.result = result,
	.run = store_check_run,
};
