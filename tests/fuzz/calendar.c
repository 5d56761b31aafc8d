/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: invitations, and files of time zones. */
#include "check.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "mime/calendar_internal.h"

/* Whatever zone is asked for, its file is the input itself. */
static bool
load(void *ctx, struct arena *a, struct str name, struct str *out)
{
	(void)a, (void)name;
	*out = *(const struct str *)ctx;
	return true;
}

static void
check_text(struct str t, size_t max)
{
	check(utf8_valid(t), "texts are UTF-8");
	check(t.n <= max, "texts are cut");
}

static void
check_event(struct arena *a, const struct calendar_event *ev)
{
	check_text(ev->summary, LIMIT_CALENDAR_WORDS);
	check_text(ev->location, LIMIT_CALENDAR_WORDS);
	check_text(ev->uid, LIMIT_CALENDAR_WORDS);
	check_text(ev->description, LIMIT_CALENDAR_TEXT);
	check(ev->attendees <= LIMIT_CALENDAR_PEOPLE, "attendees");
	check(ev->except.n <= LIMIT_CALENDAR_DATES, "exceptions");
	(void)calendar_time_text(a, &ev->start);
	(void)calendar_time_text(a, &ev->end);
	(void)calendar_text_differs(a, ev->description, ev);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str raw = { (const char *)data, size };
	struct calendar_zones zones = { .load = load, .ctx = &raw };
	struct tzif z;
	struct calendar c;
	int64_t utc;

	calendar_read(a, raw, S("utf-8"), &zones, &c);
	check(c.n <= LIMIT_CALENDAR_EVENTS, "events");
	for (size_t i = 0; i < c.n; i++) {
		check_event(a, &c.event[i]);
		(void)calendar_text_differs(a, raw, &c.event[i]);
	}
	if (tzif_read(raw, &z))
		for (int64_t s = -4000000000; s < 8000000000; s += 777777777)
			(void)tzif_utc(&z, s, &utc);
	return 0;
}
