/* SPDX-License-Identifier: Apache-2.0 */
/* The codes of data.warnings and their meanings, as shown in emcli-reply(5). */
#include "gate/warning.h"

const struct warning_row warning_table[WARNINGS] = {
	[WARN_FROM_HTML] = { "from_html",
	    "The text was made from HTML, without its hidden parts." },
	[WARN_TRUNCATED] = { "truncated",
	    "The message exceeds a limit; not all of it is shown." },
	[WARN_BAD_CHARSET] = { "bad_charset",
	    "Some of the text is not in the character set it claims; what "
	    "could not be decoded is shown as U+FFFD." },
	[WARN_HIDDEN_DISPLAY] = { "hidden_display",
	    "Text hidden by display:none or the like was left out." },
	[WARN_HIDDEN_VISIBILITY] = { "hidden_visibility",
	    "Text made invisible by visibility or opacity was left out." },
	[WARN_HIDDEN_SIZE] = { "hidden_size",
	    "Text of zero or nearly zero size was left out." },
	[WARN_HIDDEN_COLOUR] = { "hidden_colour",
	    "Text in or close to the colour of its background was left out." },
	[WARN_HIDDEN_POSITION] = { "hidden_position",
	    "Text moved off the screen, clipped or overflowing a box that "
	    "shows nothing was left out." },
	[WARN_HIDDEN_ATTRIBUTE] = { "hidden_attribute",
	    "Text under the hidden attribute was left out." },
	[WARN_HIDDEN_COMMENT] = { "hidden_comment",
	    "Words in HTML comments were left out." },
	[WARN_HIDDEN_ALT] = { "hidden_alt",
	    "Words that are only alternative text of images were left out." },
	[WARN_STYLE_UNKNOWN] = { "style_unknown",
	    "Style near text was not understood; the text was left out, as it "
	    "may be hidden." },
	[WARN_UNSEEN_REMOVED] = { "unseen_removed",
	    "Characters that are invisible or change the direction of "
	    "writing were in the text or subject and were left out: they "
	    "may hide words for a program." },
	[WARN_DIVERGENT] = { "divergent",
	    "The plain text and the HTML say different things: the text is the "
	    "HTML's, as a person would read it, if that has any words." },
	[WARN_MBOX_AMBIGUOUS] = { "mbox_ambiguous",
	    "Content-Length and From_ lines of this mbox disagree about "
	    "where a message begins or ends: what is shown may be part of "
	    "another message, or lack its end." },
	[WARN_LINK_MISMATCH] = { "link_mismatch",
	    "The text of a link looks like a different address from its "
	    "target." },
	[WARN_TRACKING_IMAGE] = { "tracking_image",
	    "Images that only tell the sender that the message was read "
	    "were left out." },
	[WARN_TYPE_MISMATCH] = { "type_mismatch",
	    "An attachment is not of its declared type." },
	[WARN_NAME_DECEPTIVE] = { "name_deceptive",
	    "An attachment's name changes the direction of writing or has "
	    "two extensions." },
	[WARN_CALENDAR_ORGANIZER] = { "calendar_organizer",
	    "The organizer of an invitation is not the sender of the message; "
	    "of an answer to one, no attendee is." },
	[WARN_CALENDAR_DIFFERS] = { "calendar_differs",
	    "An invitation contradicts the message: the text names another "
	    "time, day or place, another calendar in it differs, or its "
	    "time zone rules are not that zone's." },
	[WARN_CALENDAR_LINK] = { "calendar_link",
	    "An invitation has a link that is not shown, or that leads "
	    "elsewhere than its text says." },
	[WARN_SENDER_DISPLAY] = { "sender_display",
	    "The sender's display name or comment contains an address that "
	    "is not the sender's." },
	[WARN_SENDER_LOOKALIKE] = { "sender_lookalike",
	    "The sender's domain mixes scripts or looks like another." },
	[WARN_SENDER_UNAUTHENTICATED] = { "sender_unauthenticated",
	    "The sender's authentication failed: somebody else may have "
	    "written it." },
	[WARN_LOOP] = { "loop",
	    "The message was made by a program, or sent by this account: "
	    "do not answer it (RFC 3834)." },
	[WARN_NO_MESSAGE_ID] = { "no_message_id",
	    "The message answered has no Message-ID, so the answer cannot name "
	    "it." },
	[WARN_UIDVALIDITY_CHANGED] = { "uidvalidity_changed",
	    "The server renumbered the folder; acked messages that could "
	    "not be found again are forgotten, and unless the account "
	    "processes its backlog, mail that arrived in between does not "
	    "count as new." },
	[WARN_UIDVALIDITY_REMATCHED] = { "uidvalidity_rematched",
	    "The server renumbered the folder, and messages were "
	    "recognized by their Message-ID." },
	[WARN_NOT_SEARCHED] = { "not_searched",
	    "An account could not be searched, so its mail is missing; "
	    "not_searched names it, and says what to do." },
	[WARN_DRAFT_UNATTACHED] = { "draft_unattached",
	    "The draft was made, but is not in the thread it answers; "
	    "attach_reason says why." },
	[WARN_COPY_FAILED] = { "copy_failed",
	    "The message was sent, but its copy could not be saved in Sent." },
};
