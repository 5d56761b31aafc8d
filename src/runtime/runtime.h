/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_RUNTIME_H
#define RUNTIME_RUNTIME_H

/*
 * Which mailbox a session of an agent has, and how it is told: its names, what
 * the manifest of a home declares, what a start is given, and the binding that
 * the manifest of a session keeps.  Nothing here opens a mailbox, and no struct
 * has a member for a secret.  The names in files and in the environment are
 * Houmao's, which reads and writes the same files.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "base/yaml.h"

enum transport {
	TRANSPORT_NONE, /* no mailbox */
	TRANSPORT_FILESYSTEM,
	TRANSPORT_STALWART,
};

/* "filesystem"; "none" too. */
const char *transport_name(enum transport t);
/* False: no transport has that name. */
bool transport_find(struct str name, enum transport *out);

/* -- name.c: pure; what an address is: backend/agentbox/name.h ------------- */

#define NAME_PREFIX "HOUMAO-"
#define NAME_DOMAIN "houmao.localhost"
#define NAME_OPERATOR NAME_PREFIX "operator"

/* A local part that begins with NAME_PREFIX at NAME_DOMAIN: the operator's. */
bool name_is_reserved(struct str address);
/* A letter or a digit, then letters, digits and "._-", at most
 * LIMIT_PRINCIPAL bytes. */
bool name_is_principal(struct str s);
/*
 * An address that mail may be fetched from with a password: https, or http of
 * this machine itself; no user name, password or fragment in it.
 */
bool name_is_url(struct str s);
/* Does a member of that name hold a secret?  "password", "API_KEY". */
bool name_is_secret(struct str key);
/*
 * The principal of an agent that was given none: its name behind NAME_PREFIX,
 * or of tool and role where the name is absent, a path or a file's.
 */
struct str name_principal(struct arena *a, struct str agent, struct str tool,
    struct str role);
/* The address of a principal that was given none. */
struct str name_address(struct arena *a, struct str principal);
/* The agent_id of a name, as Houmao makes it; empty for none. */
struct str name_agent_id(struct arena *a, struct str agent);

/* -- declaration.c: pure
 * ------------------------------------------------------- */

/* `mailbox:` of a home's manifest, and what a start is given: NULL is unsaid.
 */
struct declaration {
	bool said; /* a transport was named */
	enum transport transport;
	struct str principal_id, address;
	struct str filesystem_root, account_dir;
	struct str base_url, jmap_url, management_url, login_identity;
};

/* A member of a declaration: where it is, who may say it, and for what. */
struct declaration_field {
	const char *key;    /* in a manifest, or NULL */
	const char *option; /* of a start */
	enum transport of;  /* TRANSPORT_NONE: of any */
	size_t at;
	/* What is wrong with a value, "is ...", or NULL. */
	const char *(*wrong)(struct str s);
};
/* All of them; the last has no option. */
extern const struct declaration_field declaration_fields[];
struct str declaration_get(const struct declaration *d,
    const struct declaration_field *f);
void declaration_set(struct declaration *d, const struct declaration_field *f,
    struct str s);
/*
 * Checks what options gave for a mailbox on that transport.  ERR_USAGE names
 * the option that is wrong or has no effect on the transport.
 */
int declaration_check(const struct declaration *given, enum transport t,
    struct err *e);

/*
 * Reads the value of `mailbox`; NULL or null: nothing is said.  What is unknown
 * in it, or is of the other transport, is added to warnings.  ERR_CONFIG: no
 * transport, a blank, another type, a URL that is none, or a secret.
 */
int declaration_read(const struct json_value *mailbox, struct arena *a,
    struct declaration *out, struct strs *warnings, struct err *e);
/* Puts `mailbox:` and what is said; nothing when no transport is named. */
void declaration_put(const struct declaration *d, struct yaml_put *y);

/* -- binding.c: pure ------------------------------------------------------- */

enum binding_kind {
	BINDING_IN_ROOT,
	BINDING_SYMLINK, /* a folder of the user's own, outside the root */
};

/* A session's mailbox, as its manifest keeps it at launch_plan.mailbox. */
struct binding {
	enum transport transport; /* TRANSPORT_NONE: it has none */
	struct str principal_id, address, bindings_version;
	/* filesystem */
	struct str filesystem_root; /* absolute */
	enum binding_kind kind;
	struct str mailbox_path; /* absolute; empty: below the root */
	/* stalwart */
	struct str jmap_url, management_url, login_identity, credential_ref;
	/* Members of another program's, or NULL. */
	const struct json *rest;
};

/*
 * Reads a binding.  Members that are unknown are kept; credential_file, which
 * holds only while a process runs, is not.  ERR_CONFIG names the member.
 */
int binding_read(const struct json_value *v, struct arena *a,
    struct binding *out, struct err *e);
void binding_put(const struct binding *b, struct json *j, const char *key);

/* -- effective.c: pure but for env ----------------------------------------- */

struct effective_in {
	const struct declaration *declared; /* by the home's manifest */
	const struct declaration *given;    /* by the start: it goes before */
	struct str agent, tool, role;
	/* Absolute; what relative paths are below: in the manifest, and given.
	 */
	struct str runtime_root, workdir;
	const char *(*env)(const char *name); /* getenv(3) */
};

/*
 * The binding that comes of them, without a bindings_version.  ERR_USAGE: what
 * was given is wrong; ERR_CONFIG: what is declared, or the environment.
 */
int effective_binding(const struct effective_in *in, struct arena *a,
    struct binding *out, struct err *e);

/* -- version.c, credential_ref.c: pure ------------------------------------- */

/*
 * The bindings_version that follows `last`, which may be empty: the time in
 * microseconds, or one more than `last`, if that is not less.  ERR_CONFIG:
 * nothing follows it.
 */
int version_next(struct arena *a, int64_t now_us, struct str last,
    struct str *out, struct err *e);

/*
 * "stalwart-writer-at-agents-example-test-2ee98cbb542ea0e0": names the file of
 * a credential.  The URL counts as it is configured, to the last byte.
 */
struct str credential_ref(struct arena *a, struct str jmap_url,
    struct str address);
/* May it be a part of a path? */
bool credential_ref_is_safe(struct str ref);

#endif
