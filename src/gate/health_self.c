/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What doctor checks on this machine: keys, memory, and file permissions.
 * Paths are only in the details, which agents do not see.
 */
#include <errno.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/path.h"
#include "gate/health_report.h"
#include "gate/internal.h"
#include "store/keeper.h"
#include "store/key.h"

static const char *
health_self_from_words(enum env_from from)
{
	switch (from) {
	case ENV_FILE:
		return "from a file";
	case ENV_CREDENTIAL:
		return "a credential of systemd's";
	case ENV_COMMAND:
		return "printed by a program";
	case ENV_VARIABLE:
	case ENV_UNSET:
		break;
	}
	return "from the environment";
}

static struct str
detail_of(struct arena *a, const char *path)
{
	return path != NULL ? str_dup(a, str_of(path)) : (struct str){ 0 };
}

/* That the key opens the store was checked when the gate was opened. */
static void
health_self_agent_key(struct health *h, const struct env *env)
{
	struct arena *a = h->call->arena;
	struct health_line line = { .check = S("key.agent"), .ok = true };

	if (env->agent_key != NULL) {
		line.say = str_fmt(a, "EMCLI_KEY, %s, opens the store",
		    health_self_from_words(env->agent_from));
		line.detail = detail_of(a, env->agent_file);
	} else if (store_open_is_served(h->call->gate->store)) {
		line.say = S("the broker's keeper has EMCLI_KEY, which opens "
			     "the store; this process does not have it");
	} else {
		line.note = true;
		line.say =
		    S("EMCLI_KEY is not set: the operator's key is used");
		line.next = S("give agents EMCLI_KEY and nothing else");
	}
	health_line_put(h, &line);
}

void
health_self_keys(struct health *h)
{
	const struct env *env = h->call->gate->env;
	struct store_keys keys = { env->admin_key, env->agent_key };
	struct health_line line = { .check = S("key.admin") };
	struct arena *a = h->call->arena;
	struct err e = { 0 };

	health_self_agent_key(h, env);
	if (env->admin_key == NULL)
		return;
	if (secret_later_due(env->admin_key)) {
		line.ok = line.note = true;
		line.say = S("EMCLI_ADMIN_KEY_COMMAND was not run: beside an "
			     "agents' key only operator's commands run it");
		line.next = S("to check it, and what it protects: unset "
			      "EMCLI_KEY_COMMAND, and whatever else gives the "
			      "agents' key");
		health_line_put(h, &line);
		return;
	}
	line.detail = detail_of(a, env->admin_file);
	line.ok = store_key_check(h->call->gate->store, STORE_SLOT_ADMIN, &keys,
		      &e) == 0;
	if (line.ok) {
		line.say = str_fmt(a, "EMCLI_ADMIN_KEY, %s, fits",
		    health_self_from_words(env->admin_from));
	} else {
		line.say =
		    S("EMCLI_ADMIN_KEY is set, but is not the key of this "
		      "store");
		line.next =
		    S("find the key that belongs to EMCLI_DB, or unset it: "
		      "with a wrong key no operator command works");
	}
	health_line_put(h, &line);
}

void
health_self_memory(struct health *h)
{
	static const struct health_line good = {
		.check = SI("memory"),
		.ok = true,
		.say = SI("secrets are locked in memory and left out of core "
			  "dumps"),
	};
	static const struct health_line open = {
		.check = SI("memory"),
		.ok = true,
		.note = true,
		.say = SI("secrets cannot be locked in memory: they may get "
			  "into swap"),
		.next = SI("raise the limit: ulimit -l, or LimitMEMLOCK= of "
			   "the service"),
	};

	health_line_put(h, secret_locked() ? &good : &open);
}

/* One thing that others can access. */
static void
health_self_complain(struct health *h, const char *say, const char *next,
    const char *path)
{
	const struct health_line line = {
		.check = S("files"),
		.say = str_of(say),
		.next = str_of(next),
		.detail = str_dup(h->call->arena, str_of(path)),
	};

	health_line_put(h, &line);
}

/* Whoever can write to the folder can replace the database. */
static size_t
health_self_folder(struct health *h, const char *dir)
{
	struct stat st;

	if (stat(dir, &st) < 0)
		return 0;
	if ((st.st_mode & 022) != 0)
		health_self_complain(h,
		    "others may write to the database's folder",
		    "give it a folder of its own and chmod 700 that", dir);
	else if ((st.st_mode & 055) != 0)
		health_line_put(h,
		    &(struct health_line){ .check = S("files"),
			.ok = true,
			.note = true,
			.say = S("others may read the database's folder"),
			.next = S("chmod 700 the folder"),
			.detail = str_dup(h->call->arena, str_of(dir)) });
	return 1;
}

static size_t
health_self_secret_file(struct health *h, const char *path, const char *say)
{
	struct stat st;

	if (path == NULL || stat(path, &st) < 0)
		return 0;
	if ((st.st_mode & 077) != 0)
		health_self_complain(h, say, "chmod 600 the file", path);
	return 1;
}

/* How many were looked at: none of a store that is no file. */
static size_t
health_self_database(struct health *h, const char *path)
{
	struct arena *a = h->call->arena;
	struct str db = str_of(path);
	const char *slash = strrchr(path, '/');
	size_t n = 0;

	if (!store_about_is_file(path))
		return 0;
	n += health_self_secret_file(h, path, "others may open the database");
	n += health_self_secret_file(h, str_fmt(a, "%s-wal", path).p,
	    "others may open the database's log");
	n += health_self_secret_file(h, str_fmt(a, "%s-shm", path).p,
	    "others may open the database's shared memory");
	n += health_self_folder(h,
	    slash == NULL ? "."
		: slash == path
		? "/"
		: str_c(a, str_first(db, (size_t)(slash - path))));
	return n;
}

void
health_self_files(struct health *h)
{
	const struct env *env = h->call->gate->env;
	struct arena *a = h->call->arena;
	struct str db = str_of(env->db);
	size_t before = h->n, n = 0;
	struct health_line line = { .check = S("store"), .ok = true };

	line.say = S("the store opens");
	line.detail = str_dup(a, db);
	if (!store_about_is_file(env->db))
		line.say = str_fmt(a, "the store opens: %.*s",
		    STR_ARG(store_about(h->call->gate->store, a)));
	health_line_put(h, &line);
	n += health_self_database(h, env->db);
	/* systemd chooses a credential's mode. */
	if (env->agent_from == ENV_FILE)
		n += health_self_secret_file(h, env->agent_file,
		    "others may open the file of EMCLI_KEY_FILE");
	if (env->admin_from == ENV_FILE)
		n += health_self_secret_file(h, env->admin_file,
		    "others may open the file of EMCLI_ADMIN_KEY_FILE");
	if (h->n > before + 1)
		return;
	line = (struct health_line){ .check = S("files"), .ok = true };
	line.say = str_fmt(a, "%zu looked at, none of them open to others", n);
	health_line_put(h, &line);
}

/*
 * A file or folder of an account: does it exist, with the right type, readable?
 */
static void
health_self_account_file(struct health *h, struct health_line *line,
    struct str path, bool dir)
{
	const char *name = str_c(h->call->arena, path);
	struct stat st;

	line->detail = path;
	errno = 0;
	line->ok = stat(name, &st) == 0 &&
	    (dir ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode)) &&
	    access(name, dir ? R_OK | X_OK : R_OK) == 0;
	if (!line->ok) {
		if (errno != 0)
			line->detail = str_fmt(h->call->arena, "%.*s: %s",
			    STR_ARG(path), strerror(errno));
	} else if (dir && (st.st_mode & S_IWOTH) != 0) {
		/* Whoever can put files there controls what is sent. */
		line->note = true;
		line->say = S("anybody on this machine may write there");
		line->next = S("chmod o-w the folder");
	}
}

/* Whoever can change it controls whom emcli trusts. */
static void
health_self_trust(struct health *h, struct health_line *line)
{
	struct str why = { 0 };

	if (path_trust(str_c(h->call->arena, line->detail), geteuid(),
		h->call->arena, &why) == 0)
		return;
	line->ok = false;
	line->detail = why;
	line->say = S("others may write to the CA file, or replace it");
	line->next = S("chown root and chmod 644 it, in a folder where only "
		       "root or emcli's user can write");
}

static void
health_self_attach_dir(struct health *h, struct str account, struct str folder)
{
	struct health_line out = { .account = account,
		.check = S("attach_dir") };

	health_self_account_file(h, &out, folder, true);
	if (out.say.n == 0 && out.ok)
		out.say = S("the folder for attachments is readable");
	if (out.say.n == 0) {
		out.say = S("the folder for attachments cannot be read");
		out.next = S("make it, or name another: emcli account edit "
			     "--attach-dir");
	}
	health_line_put(h, &out);
}

/* As systemd's ProtectSystem= mounts it, and as a broken disk does. */
static void
health_self_mail_folder(struct health *h, const struct store_account *acct)
{
	struct health_line out = { .account = acct->name,
		.check = S("path"),
		.detail = acct->path };
	struct statvfs fs;

	if (acct->mode != MODE_RW || acct->path.n == 0 ||
	    str_eq(acct->backend, S("mbox")) ||
	    statvfs(str_c(h->call->arena, acct->path), &fs) < 0 ||
	    (fs.f_flag & ST_RDONLY) == 0)
		return;
	out.say = S("the account is to write mail, and its folder is read-only "
		    "here");
	out.next = S("mount it for writing; in a service of systemd's: "
		     "systemctl edit, and ReadWritePaths= with the folder");
	health_line_put(h, &out);
}

void
health_self_account(struct health *h, const struct store_account *acct)
{
	struct health_line ca = { .account = acct->name, .check = S("ca") };
	struct strs dirs = path_among_list(h->call->arena, acct->attach_dir);

	if (acct->ca_file.n > 0) {
		health_self_account_file(h, &ca, acct->ca_file, false);
		if (ca.ok)
			health_self_trust(h, &ca);
		if (ca.say.n == 0 && ca.ok)
			ca.say = S("the CA file is readable");
		if (ca.say.n == 0) {
			ca.say = S("the CA file cannot be read");
			ca.next =
			    S("restore it, or name another: emcli account "
			      "edit --ca");
		}
		health_line_put(h, &ca);
	}
	health_self_mail_folder(h, acct);
	for (size_t i = 0; i < dirs.n; i++)
		health_self_attach_dir(h, acct->name, dirs.v[i]);
}
