/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli serve install: prints what systemd reads to run the broker, or writes
 * it.  All files are looked at before any is written.
 */
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "desk/desk.h"
#include "desk/own_file.h"
#include "desk/serve_units.h"

static const struct arg_spec args[] = {
	{ "write", ARG_FLAG, .help = "put the files in their places" },
	{ "force", ARG_FLAG, .help = "overwrite changed files, too" },
	{ 0 },
};

static const struct field files[] = {
	{ "path", FIELD_TEXT, .help = "where it belongs" },
	{ "text", FIELD_TEXT, .help = "what is in it" },
	{ "written", FIELD_BOOL,
	    .help = "whether it was written; false if it was there" },
	{ 0 },
};

static const struct field result[] = {
	{ "files", FIELD_OBJECTS, .help = "the files", .sub = files },
	{ "next", FIELD_TEXTS, .help = "the commands that come next" },
	{ 0 },
};

static const char *const next[] = {
	"emcli agent add NAME --user USER",
	("emcli key rotate --agent --generate | systemd-creds encrypt "
	 "--name=emcli-key - " SERVE_UNITS_CREDENTIAL),
	"mv ~/.config/emcli " SERVE_UNITS_HOME,
	"systemctl enable --now emcli.service",
};

static int
serve_install_program(struct call *c, struct str *out, struct err *e)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self));

	if (n <= 0 || (size_t)n == sizeof(self))
		return err_set(e, ERR_CONFIG, "cannot tell where emcli is");
	*out = str_dup(c->arena, (struct str){ self, (size_t)n });
	if (serve_units_may_start(*out))
		return 0;
	return err_set(e, ERR_CONFIG,
	    "the path of emcli cannot be in a unit: install it with make "
	    "install");
}

/* sd_booted(3) */
static bool
serve_install_has_systemd(void)
{
	return access("/run/systemd/system", F_OK) == 0;
}

/* A file in /etc is used instead of the package's, also after its updates. */
static int
serve_install_refuse_packaged(struct call *c, struct err *e)
{
	const char *path = serve_units_of_package();

	if (path == NULL || args_has(c->args, "force"))
		return 0;
	(void)err_set(e, ERR_CONFIG,
	    "a package has the broker's units already, so nothing was written");
	(void)err_because(e, "%s", path);
	return err_hint(e,
	    "enable those: systemctl enable --now emcli.service; systemctl "
	    "edit changes a setting, and --force writes files that are used "
	    "instead");
}

static int
serve_install_look(struct call *c, const struct own_file *v, size_t n,
    struct err *e)
{
	if (!serve_install_has_systemd()) {
		(void)err_set(e, ERR_UNSUPPORTED,
		    "systemd does not run here, so nothing was written");
		return err_hint(e,
		    "as root: emcli serve --user emcli; see emcli-serve(8)");
	}
	if (serve_install_refuse_packaged(c, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (own_file_is_there(&v[i], c->arena, e) < 0)
			return -1;
	return 0;
}

/* The folder is systemd's, and may be missing as long as it is empty. */
static int
serve_install_put(struct call *c, const struct own_file *f, struct err *e)
{
	char *dir = str_c(c->arena, str_of(f->path));
	int r;

	*strrchr(dir, '/') = '\0';
	if (mkdir(dir, 0755) < 0 && errno != EEXIST)
		return own_file_fail(e, "cannot make a folder", dir);
	r = own_file_put(f, c->arena, e);
	if (r >= 0)
		gate_tell(c, "%s: %s", f->path,
		    r == 1 ? "written" : "it is there already");
	return r;
}

static void
serve_install_say_next(struct call *c, struct json *out)
{
	json_open_array(out, "next");
	for (size_t i = 0; i < sizeof(next) / sizeof(next[0]); i++) {
		json_put_text(out, NULL, next[i]);
		if (args_has(c->args, "write"))
			gate_say(c, GATE_NEXT, "%s", next[i]);
	}
	json_close_array(out);
	if (!args_has(c->args, "write"))
		operate_note(c, "%s",
		    serve_install_has_systemd()
			? "emcli: --write puts them there"
			: "emcli: systemd does not run here; as root: emcli "
			  "serve --user emcli");
}

static int
serve_install_run(struct call *c, struct json *out, struct err *e)
{
	struct own_file v[8] = { 0 };
	struct str program = { 0 };
	bool write = args_has(c->args, "write");
	size_t n = 0;

	if (serve_install_program(c, &program, e) < 0)
		return -1;
	for (; serve_units_files[n].path != NULL; n++)
		v[n] = (struct own_file){
			.path = serve_units_files[n].path,
			.text = serve_units_text(&serve_units_files[n], program,
			    c->arena),
			.force = args_has(c->args, "force"),
		};
	if (write && serve_install_look(c, v, n, e) < 0)
		return -1;
	json_open_array(out, "files");
	for (size_t i = 0; i < n; i++) {
		int put = write ? serve_install_put(c, &v[i], e) : 0;

		if (put < 0)
			return -1;
		json_open_object(out, NULL);
		json_put_text(out, "path", v[i].path);
		json_put_str(out, "text", v[i].text);
		json_put_bool(out, "written", put == 1);
		json_close_object(out);
		if (!write)
			gate_say_raw(c,
			    str_fmt(c->arena, "%s# %s\n%.*s", i > 0 ? "\n" : "",
				v[i].path, STR_ARG(v[i].text)));
	}
	json_close_array(out);
	serve_install_say_next(c, out);
	return 0;
}

const struct op desk_serve_install = {
	.name = "serve install",
	.summary = "Print or write the units by which systemd runs the broker",
	.effect = EFFECT_OPERATE,
	.args = args,
	.result = result,
	.run = serve_install_run,
};
