/* An account's settings in one list: for show, list and telling a change. */
#include "base/json.h"
#include "door/admin/account.h"

static struct str
number(struct arena *a, uint64_t n)
{
	return n > 0 ? str_fmt(a, "%llu", (unsigned long long)n) : S("");
}

static struct str
on_off(bool on)
{
	return on ? S("on") : S("off");
}

static struct str
id_word(enum store_quirk_id id)
{
	switch (id) {
	case STORE_ID_ON:
		return S("on");
	case STORE_ID_OFF:
		return S("off");
	case STORE_ID_AUTO:
		break;
	}
	return S("auto");
}

void
account_fields(struct arena *a, const struct store_account *v,
    struct account_field out[ACCOUNT_FIELDS])
{
	const struct account_field all[ACCOUNT_FIELDS] = {
		{ "name", v->name, ACCOUNT_TEXT },
		{ "backend", v->backend, ACCOUNT_TEXT },
		{ "mode", str_of(account_mode(v->mode)), ACCOUNT_TEXT },
		{ "from", v->from_addr, ACCOUNT_TEXT },
		{ "username", v->username, ACCOUNT_TEXT },
		{ "auth", v->auth_type, ACCOUNT_TEXT },
		{ "imap_host", v->imap_host, ACCOUNT_TEXT },
		{ "imap_port", number(a, v->imap_port), ACCOUNT_NUMBER },
		{ "imap_security", v->imap_security, ACCOUNT_TEXT },
		{ "smtp_host", v->smtp_host, ACCOUNT_TEXT },
		{ "smtp_port", number(a, v->smtp_port), ACCOUNT_NUMBER },
		{ "smtp_security", v->smtp_security, ACCOUNT_TEXT },
		{ "ca", v->ca_file, ACCOUNT_TEXT },
		{ "pin", v->tls_pin, ACCOUNT_TEXT },
		{ "path", v->path, ACCOUNT_TEXT },
		{ "attach_dir", v->attach_dir, ACCOUNT_TEXT },
		{ "url", v->url, ACCOUNT_TEXT },
		{ "list", v->list, ACCOUNT_TEXT },
		{ "list_folder", v->list_folder, ACCOUNT_TEXT },
		{ "drafts_folder", v->drafts_folder, ACCOUNT_TEXT },
		{ "sent_folder", v->sent_folder, ACCOUNT_TEXT },
		{ "thread_url", v->thread_url, ACCOUNT_TEXT },
		{ "whitelist_in", on_off(v->in_on), ACCOUNT_BOOL },
		{ "whitelist_auth", v->in_dmarc ? S("dmarc") : S("none"),
		    ACCOUNT_TEXT },
		{ "whitelist_out", on_off(v->out_on), ACCOUNT_BOOL },
		{ "subject_regex", v->subject_regex, ACCOUNT_TEXT },
		{ "authserv_id", v->authserv_id, ACCOUNT_TEXT },
		{ "process_backlog", on_off(v->process_backlog), ACCOUNT_BOOL },
		{ "quirk_id", id_word(v->quirk_id), ACCOUNT_TEXT },
		{ "quirk_sasl_ir", on_off(!v->quirk_no_sasl_ir), ACCOUNT_BOOL },
		{ "sent_copy", on_off(!v->no_sent_copy), ACCOUNT_BOOL },
		{ "outbound", account_reach_outbound(v->outbound),
		    ACCOUNT_TEXT },
		{ "scope", v->scope_thread ? S("thread") : S("any"),
		    ACCOUNT_TEXT },
		{ "taint", number(a, v->taint_minutes), ACCOUNT_NUMBER },
		{ "secrets_check", on_off(!v->no_secrets_check), ACCOUNT_BOOL },
		{ "check_unfinished", on_off(!v->no_unfinished_check),
		    ACCOUNT_BOOL },
		{ "limit_messages", number(a, v->limit_messages),
		    ACCOUNT_NUMBER },
		{ "limit_new_recipients", number(a, v->limit_new_recipients),
		    ACCOUNT_NUMBER },
		{ "limit_bytes", number(a, v->limit_bytes), ACCOUNT_NUMBER },
		{ "limit_recipients", number(a, v->limit_recipients),
		    ACCOUNT_NUMBER },
		{ "has_password", on_off(v->has_password), ACCOUNT_BOOL },
	};

	memcpy(out, all, sizeof(all));
}

void
account_fields_json(struct json *j, struct arena *a,
    const struct store_account *v)
{
	struct account_field f[ACCOUNT_FIELDS];
	uint64_t n;

	account_fields(a, v, f);
	for (int i = 0; i < ACCOUNT_FIELDS; i++) {
		switch (f[i].as) {
		case ACCOUNT_TEXT:
			json_put_str(j, f[i].name, f[i].value);
			break;
		case ACCOUNT_NUMBER:
			n = 0;
			(void)str_to_u64(f[i].value, INT64_MAX, &n);
			json_put_int(j, f[i].name, (int64_t)n);
			break;
		case ACCOUNT_BOOL:
			json_put_bool(j, f[i].name,
			    str_eq(f[i].value, S("on")));
			break;
		}
	}
}
