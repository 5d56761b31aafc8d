#ifndef DOOR_ADMIN_INTERNAL_H
#define DOOR_ADMIN_INTERNAL_H

/* The families of commands, one file each, and what they share. */
#include "base/buf.h"
#include "base/secret.h"
#include "door/admin/admin.h"
#include "store/store.h"

/* run.c: says on stderr what opening the store came upon: that others could
 * read the database (it is repaired already), that it was older than
 * signatures. */
void admin_run_tell_open(const struct store *s);

/* init.c */
extern const struct arg_spec init_args[];
int init_run(struct admin_call *c, struct err *e);
/* May it run without keys, since a person is there to be shown new ones? */
bool init_makes_keys(const struct admin_call *c);

/* key.c */
extern const struct arg_spec key_args[];
int key_generate(struct admin_call *c, struct err *e);

/* key_change.c */
extern const struct arg_spec key_change_rotate_args[];
int key_change_rotate(struct admin_call *c, struct err *e);
extern const struct arg_spec key_change_rewrap_args[];
int key_change_rewrap(struct admin_call *c, struct err *e);

/* key.c: a new key as base64, on the stack of who calls, who wipes it. */
#define KEY_TEXT 45 /* its line end included */
int key_make(char text[KEY_TEXT], struct err *e);
/* Writes it to standard output, and to the disk when that is a file. */
int key_print(const char text[KEY_TEXT], struct err *e);

/* providers.c */
extern const struct arg_spec providers_args[];
int providers_list(struct admin_call *c, struct err *e);

/* account.c, account_add.c and so on; they share account.h */
extern const struct arg_spec account_args_add[];
int account_add_run(struct admin_call *c, struct err *e);
extern const struct arg_spec account_args_edit[];
int account_edit_run(struct admin_call *c, struct err *e);
extern const struct arg_spec account_list_args[];
int account_list(struct admin_call *c, struct err *e);
extern const struct arg_spec account_remove_args[];
int account_remove(struct admin_call *c, struct err *e);
extern const struct arg_spec account_show_args[];
int account_show(struct admin_call *c, struct err *e);

/* whitelist.c; `which` is an enum store_list */
extern const struct arg_spec whitelist_change_args[];
extern const struct arg_spec whitelist_in_args[];
int whitelist_add(struct admin_call *c, struct err *e);
int whitelist_remove(struct admin_call *c, struct err *e);
extern const struct arg_spec whitelist_account_args[];
extern const struct arg_spec whitelist_list_args[];
int whitelist_list(struct admin_call *c, struct err *e);
int whitelist_on(struct admin_call *c, struct err *e);
int whitelist_off(struct admin_call *c, struct err *e);

/* config.c */
extern const struct arg_spec config_set_args[];
int config_set(struct admin_call *c, struct err *e);
extern const struct arg_spec config_get_args[];
int config_get(struct admin_call *c, struct err *e);
extern const struct arg_spec config_list_args[];
int config_list(struct admin_call *c, struct err *e);

/* sources.c, sources_set.c and so on; they share sources.h */
extern const struct arg_spec sources_list_args[];
int sources_list(struct admin_call *c, struct err *e);
extern const struct arg_spec sources_set_args[];
int sources_set(struct admin_call *c, struct err *e);
extern const struct arg_spec sources_import_args[];
int sources_import(struct admin_call *c, struct err *e);
extern const struct arg_spec sources_probe_args[];
int sources_probe(struct admin_call *c, struct err *e);
extern const struct arg_spec sources_explain_args[];
int sources_explain(struct admin_call *c, struct err *e);

/* audit.c */
extern const struct arg_spec audit_list_args[];
int audit_list(struct admin_call *c, struct err *e);
/* A day or time as rows have it, or with `end` the first second past it; empty
 * when the option is not there.  ERR_USAGE. */
int audit_time(const struct admin_call *c, const char *name, bool end,
    struct str *out, struct err *e);

/* audit_verify.c */
extern const struct arg_spec audit_verify_args[];
int audit_verify(struct admin_call *c, struct err *e);

/* audit_accept.c */
extern const struct arg_spec audit_accept_args[];
int audit_accept(struct admin_call *c, struct err *e);
/* audit_verify.c: what was changed by others, a line each. */
struct store_signed;
void audit_verify_edits(struct admin_call *c, const struct store_signed *v);

/* audit_export.c */
extern const struct arg_spec audit_export_args[];
int audit_export(struct admin_call *c, struct err *e);

/* skill.c, skill_cost.c and so on; they share skill.h */
extern const struct arg_spec admin_skill_list_args[];
int admin_skill_list(struct admin_call *c, struct err *e);
extern const struct arg_spec admin_skill_show_args[];
int admin_skill_show(struct admin_call *c, struct err *e);
extern const struct arg_spec admin_skill_validate_args[];
int admin_skill_validate(struct admin_call *c, struct err *e);
extern const struct arg_spec admin_skill_export_args[];
int admin_skill_export(struct admin_call *c, struct err *e);
extern const struct arg_spec admin_skill_cost_args[];
int admin_skill_cost(struct admin_call *c, struct err *e);

/* mcp_install.c, beside mcp_client.c, mcp_merge_json.c and so on */
extern const struct arg_spec mcp_install_args[];
int mcp_install(struct admin_call *c, struct err *e);

/* agent.c */
extern const struct arg_spec agent_add_args[];
int agent_add(struct admin_call *c, struct err *e);
extern const struct arg_spec agent_remove_args[];
int agent_remove(struct admin_call *c, struct err *e);
extern const struct arg_spec agent_list_args[];
int agent_list(struct admin_call *c, struct err *e);

/* freeze.c */
extern const struct arg_spec admin_freeze_args[];
int admin_freeze(struct admin_call *c, struct err *e);
extern const struct arg_spec admin_freeze_thaw_args[];
int admin_freeze_thaw(struct admin_call *c, struct err *e);

/* model.c */
extern const struct arg_spec admin_model_add_args[];
int admin_model_add(struct admin_call *c, struct err *e);
extern const struct arg_spec admin_model_remove_args[];
int admin_model_remove(struct admin_call *c, struct err *e);
extern const struct arg_spec admin_model_list_args[];
int admin_model_list(struct admin_call *c, struct err *e);

/* unack.c */
extern const struct arg_spec unack_args[];
int unack_run(struct admin_call *c, struct err *e);

/* outbox.c */
extern const struct arg_spec admin_outbox_list_args[];
int admin_outbox_list(struct admin_call *c, struct err *e);
extern const struct arg_spec admin_outbox_show_args[];
int admin_outbox_show(struct admin_call *c, struct err *e);
/* outbox_resolve.c */
extern const struct arg_spec admin_outbox_resolve_args[];
int admin_outbox_resolve(struct admin_call *c, struct err *e);
/* outbox_put.c: rows as a table, one row with its message, and as JSON. */
struct store_outbox;
void admin_outbox_put_table(struct admin_call *c, const struct store_outbox *v,
    size_t n, const struct strs *accounts);
void admin_outbox_put_row(struct admin_call *c, const struct store_outbox *row,
    struct str account);
void admin_outbox_put_json(struct admin_call *c, const struct store_outbox *v,
    size_t n, const struct strs *accounts, bool whole);
/* The accounts' names for rows; one that is gone is empty. */
int admin_outbox_put_names(struct admin_call *c, const struct store_outbox *v,
    size_t n, struct strs *out, struct err *e);

/* record.c: runs the command, with a row of the audit log around it. */
int record_run(struct admin_call *c, struct err *e);

/*
 * sole.c.  Names the only account there is wherever a command that takes one
 * (ARG_SOLE) was given none.  ERR_USAGE when there are several; ERR_NOT_FOUND.
 */
int sole_fill(struct admin_call *c, struct args *args, struct err *e);
/* What a command that named no account there is failed with: says which. */
void sole_explain(struct admin_call *c, const struct args *args, struct err *e);

/* account.c: "RO" or "RW". */
const char *account_mode(enum mode m);

#endif
