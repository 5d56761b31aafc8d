#ifndef RUNTIME_RUNTIME_H
#define RUNTIME_RUNTIME_H

/*
 * The mailbox of an agent's session, and how the agent gets it: names, the
 * declaration in a home's manifest, the options of a start, and the binding in
 * a session's manifest.  Nothing here opens a mailbox, and no struct has a
 * member for a secret.  The names in files and in the environment are Houmao's,
 * which reads and writes the same files.
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

/* "filesystem"; also "none". */
const char *transport_name(enum transport t);
/* False: no transport has that name. */
bool transport_find(struct str name, enum transport *out);

/* -- name.c: pure; what an address is: backend/agentbox/name.h ------------- */

#define NAME_PREFIX "HOUMAO-"
#define NAME_DOMAIN "houmao.localhost"
#define NAME_OPERATOR NAME_PREFIX "operator"

/*
 * "local@domain" of the letters, digits and marks that a segment of a path may
 * have, at most LIMIT_AGENT_ADDRESS bytes.  Case matters.
 */
bool name_is_address(struct str s);
/* A local part that begins with NAME_PREFIX at NAME_DOMAIN: the operator's. */
bool name_is_reserved(struct str address);
/* A letter or a digit, then letters, digits and "._-", at most
 * LIMIT_PRINCIPAL bytes. */
bool name_is_principal(struct str s);
/*
 * A URL from which mail may be read with a password: https, or http of this
 * machine itself; without user name, password or fragment.
 */
bool name_is_url(struct str s);
/* Is it the name of a member for a secret?  "password", "API_KEY". */
bool name_is_secret(struct str key);
/*
 * The principal of an agent without a given one: NAME_PREFIX and its name, or
 * tool and role if the name is missing or is a path or file name.
 */
struct str name_principal(struct arena *a, struct str agent, struct str tool,
    struct str role);
/* The address of a principal without a given one. */
struct str name_address(struct arena *a, struct str principal);
/* The agent_id of a name, as Houmao makes it; empty for none. */
struct str name_agent_id(struct arena *a, struct str agent);

/* -- declaration.c: pure
 * ------------------------------------------------------- */

/*
 * `mailbox:` of a home's manifest, and options of a start: NULL is not given.
 */
struct declaration {
	bool said; /* a transport was named */
	enum transport transport;
	struct str principal_id, address;
	struct str filesystem_root, account_dir;
	struct str base_url, jmap_url, management_url, login_identity;
};

/* A member of a declaration: its place, its option, and its transport. */
struct declaration_field {
	const char *key;    /* key in a manifest, or NULL */
	const char *option; /* of a start */
	enum transport of;  /* TRANSPORT_NONE: both */
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
 * Reads the value of `mailbox`; NULL or null: not declared.  Unknown members,
 * and members for the other transport, are added to warnings.  ERR_CONFIG: no
 * transport, a blank, a wrong type, or a member for a secret.
 */
int declaration_read(const struct json_value *mailbox, struct arena *a,
    struct declaration *out, struct strs *warnings, struct err *e);
/* Writes `mailbox:` and its members; nothing if no transport is named. */
void declaration_put(const struct declaration *d, struct yaml_put *y);

/* -- binding.c: pure ------------------------------------------------------- */

enum binding_kind {
	BINDING_IN_ROOT,
	BINDING_SYMLINK, /* a folder of the user's, outside the root */
};

/* A session's mailbox, as in launch_plan.mailbox of its manifest. */
struct binding {
	enum transport transport; /* TRANSPORT_NONE: no mailbox */
	struct str principal_id, address, bindings_version;
	/* filesystem */
	struct str filesystem_root; /* absolute */
	enum binding_kind kind;
	struct str mailbox_path; /* absolute; empty: below the root */
	/* stalwart */
	struct str jmap_url, management_url, login_identity, credential_ref;
	/* Members of other programs, or NULL. */
	const struct json *rest;
};

/*
 * Reads a binding.  Unknown members are kept, except credential_file, which is
 * valid only while a process runs.  ERR_CONFIG names the member.
 */
int binding_read(const struct json_value *v, struct arena *a,
    struct binding *out, struct err *e);
void binding_put(const struct binding *b, struct json *j, const char *key);

/* -- effective.c: pure but for env ----------------------------------------- */

struct effective_in {
	const struct declaration *declared; /* from the start; overrides */
	const struct declaration
	    *given; /* from the start: overrides the manifest */
	struct str agent, tool, role;
	/* Absolute; the base of relative paths: in the manifest, and given. */
	struct str runtime_root, workdir;
	const char *(*env)(const char *name); /* getenv(3) */
};

/*
 * The resulting binding, without a bindings_version.  ERR_USAGE: a given value
 * is wrong; ERR_CONFIG: a declared one, or the environment.
 */
int effective_binding(const struct effective_in *in, struct arena *a,
    struct binding *out, struct err *e);

/* -- version.c, credential_ref.c: pure ------------------------------------- */

/*
 * The bindings_version after `last`, which may be empty: the time in
 * microseconds, or one more than `last`, if that is later.  ERR_CONFIG: there
 * is none after it.
 */
int version_next(struct arena *a, int64_t now_us, struct str last,
    struct str *out, struct err *e);

/*
 * "stalwart-writer-at-agents-example-test-2ee98cbb542ea0e0": the file name of a
 * credential.  The URL counts exactly as configured, byte for byte.
 */
struct str credential_ref(struct arena *a, struct str jmap_url,
    struct str address);
/* May it be part of a path? */
bool credential_ref_is_safe(struct str ref);

#endif
