/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

/*
 * Every cap in one place, so that it can be read as one list.  Sizes are in
 * bytes, times in milliseconds.  Input beyond its cap is refused with
 * ERR_LIMIT, or read in part and flagged; the arena's own cap is the last wall.
 */
#define LIMIT_ARENA (1024UL << 20)    /* one call, all of it */
#define LIMIT_MESSAGE (128UL << 20)   /* one message, raw */
#define LIMIT_SECRET 16384UL          /* a password or token */
#define LIMIT_SECRET_LINE 4096UL      /* of a command that prints one */
#define LIMIT_SECRET_COMMAND_MS 60000 /* it may ask a person */
#define LIMIT_NOTICE_MS 10000         /* of one that tells the operator */
#define LIMIT_NOTICES_S 300           /* of all that one process gives */
#define LIMIT_NOTICE_LOOK_MS 600000   /* the broker looks whether one is due */
#define LIMIT_NOTICE_AGAIN_MS 60000   /* the same, if one was not given */
#define LIMIT_NOTICE_S 3600           /* one notice of a kind in this time */
#define LIMIT_NOTICE_FAILS_S 3600     /* of an account: it still fails */
#define LIMIT_NOTICE_SHOWN 16         /* accounts, and ids, in a notice */
#define LIMIT_NOTICE_NAME 64          /* bytes of each of those names */
#define LIMIT_NOTICE_JSON 16384       /* bytes of what its program reads */
#define LIMIT_ARGV (1UL << 20)        /* one argument's value */

/* What an agent may ask for. */
#define LIMIT_PAGE_DEFAULT 50
#define LIMIT_WINDOW 10000000      /* bytes of text in one window */
#define LIMIT_WINDOW_DEFAULT 20000 /* the default */
#define LIMIT_PAGE 500
#define LIMIT_PAGE_HEADS (64UL << 20) /* the headers kept of a page */
#define LIMIT_SEARCH_FOLDERS 400      /* that one search looks through */
#define LIMIT_UIDS 10000
#define LIMIT_ORGANISE 1000       /* messages changed by one call */
#define LIMIT_ORGANISE_UNASKED 10 /* without asking the person at `ask` */
#define LIMIT_CLAIM_S 86400
#define LIMIT_IDEMPOTENCY_KEY 200
#define LIMIT_RECIPIENTS 500
#define LIMIT_ATTACHMENTS 100
#define LIMIT_FOLDERS_AMONG 16      /* that attachments may be sent from */
#define LIMIT_ORGANISE_FOLDERS 64   /* that agents may organise */
#define LIMIT_SIGNATURE 4096        /* bytes of text below each message */
#define LIMIT_FOLDERS_TEXT 8192     /* bytes of their paths together */
#define LIMIT_OUTGOING (64UL << 20) /* a message that emcli composes */

/* Waiting for new mail. */
#define LIMIT_WATCH_CALL_S 1740    /* one call: less than LIMIT_SERVE_CALL_MS */
#define LIMIT_WATCH_MODEL_S 50     /* of a model, whose program waits for 60 */
#define LIMIT_WATCH_EVENTS 100     /* told in one reply */
#define LIMIT_WATCH_POLL_MS 60000  /* between two looks, where nothing tells */
#define LIMIT_WATCH_PAUSE_MS 60000 /* before a server is asked again */
#define LIMIT_WATCH_LOOKS 20       /* at once; from then on one a second */

/* The wire. */
#define LIMIT_TIMEOUT_MS 60000 /* one command, unless configured */
#define LIMIT_LINE 65536UL     /* a protocol line */
#define LIMIT_SMTP_LINE 4096UL
#define LIMIT_SMTP_REPLY_LINES 200
#define LIMIT_URL 8192UL
#define LIMIT_AUTOCONFIG (128UL << 10) /* a file of mail settings */
#define LIMIT_HTTP_HEAD (64UL << 10)
/*
 * How long a web server may ask for a pause; newer versions of libcurl report
 * no more.
 */
#define LIMIT_RETRY_AFTER_S 21600

/* A stream of events that a web server sends. */
#define LIMIT_EVENT (64UL << 10)       /* one event, or one line of it */
#define LIMIT_EVENTS 10000             /* events that are ignored */
#define LIMIT_EVENT_STREAM (4UL << 20) /* all of it */
#define LIMIT_EVENT_QUIET_S 300        /* without any, before it is given up */
#define LIMIT_WATCH_S 3600             /* waiting for a change, once */

/* OAuth. */
#define LIMIT_OAUTH_ANSWER (256UL << 10) /* tokens, discovery documents */
#define LIMIT_OAUTH_FORM (128UL << 10)   /* a request, percent-encoded */
#define LIMIT_OAUTH_STEP_MS 30000        /* one request to a provider */
#define LIMIT_OAUTH_REFRESH_MS 5000 /* at least, even if other work waits */

/* Access tokens of the operator's identity provider. */
#define LIMIT_BEARER 8192              /* bytes of one */
#define LIMIT_BEARER_SKEW_S 60         /* its clock and ours */
#define LIMIT_BEARER_SUBJECT 255       /* OpenID Connect Core 1.0 section 2 */
#define LIMIT_BEARER_TEXT 1024         /* a setting of the issuer's */
#define LIMIT_BEARER_CHECKED 4         /* per worker: new ones, at once */
#define LIMIT_BEARER_WAITING 8         /* those that wait for that */
#define LIMIT_BEARER_BUSY_S 5          /* what more are told to wait */
#define LIMIT_ISSUER_KEYS (64UL << 10) /* its keys, as a JWK Set */
#define LIMIT_ISSUER_KEYS_N 64         /* those that are looked at */
#define LIMIT_ISSUER_KEYS_MS 3600000LL /* until they are fetched again */
#define LIMIT_ISSUER_AGAIN_MS 60000LL  /* for an unknown key, after a fault */
#define LIMIT_ISSUER_STEP_MS 10000     /* all requests for one token */
#define LIMIT_ISSUER_WAIT_MS 1000      /* for another process that fetches */

/* IMAP responses. */
#define LIMIT_IMAP_RESPONSE (8UL << 20) /* one response without bodies */
#define LIMIT_IMAP_TOTAL (512UL << 20)  /* all that a command returns */
#define LIMIT_IMAP_LINES (128UL << 20)  /* without literals: what is parsed */
#define LIMIT_IMAP_DEPTH 64
#define LIMIT_IMAP_NODES 1000000
#define LIMIT_FOLDERS 20000
#define LIMIT_FOLDER_NAME 1024
#define LIMIT_LABEL 128         /* bytes of one */
#define LIMIT_LABELS 100        /* of a message, and in a change */
#define LIMIT_PLACES 200        /* folders that a message is in */
#define LIMIT_IMAP_LINKS 200000 /* newest of a folder, by id */
#define LIMIT_IDLE_S 1740       /* IDLE, before it is begun again: RFC 2177 */
#define LIMIT_IDLE_MS 10000     /* for one response in it, and for its end */
#define LIMIT_IDLE_RESPONSES 10000 /* in one IDLE, without a change */

/* Archives. */
#define LIMIT_MBOX (8UL << 30)      /* unpacked size of one compressed file */
#define LIMIT_MBOX_FILES 10000      /* in one archive */
#define LIMIT_MBOX_MESSAGES 4000000 /* in one archive */

/* Maildir. */
#define LIMIT_MAILDIR_FILES 1000000 /* in one folder */

/* Mailbox roots of agents. */
#define LIMIT_AGENTBOX_REGS 100000 /* registrations of a root */
#define LIMIT_AGENTBOX_TEXT 4096   /* a name, a role, a path told of */
#define LIMIT_AGENTBOX_BODY (16UL << 20)
#define LIMIT_AGENTBOX_FRONT (1UL << 20) /* the head of a message file */
#define LIMIT_AGENTBOX_KEPT (4UL << 20)  /* of read messages, for a list */
#define LIMIT_AGENTBOX_FILE (25UL << 20) /* one attachment */
#define LIMIT_AGENTBOX_FILES 32          /* of a message */
#define LIMIT_AGENTBOX_RECIPIENTS 500    /* of a message */
#define LIMIT_AGENTBOX_NAME 200          /* bytes of an attachment's name */

/* Pony Mail. */
#define LIMIT_PONY_MESSAGES 1000000 /* in one list */
#define LIMIT_PONY_MONTHS 6000
#define LIMIT_PONY_THREAD 10000 /* messages */

/* MIME. */
#define LIMIT_MIME_DEPTH 64
#define LIMIT_MIME_PARTS 1000
#define LIMIT_MIME_HEADERS 1000
#define LIMIT_MIME_HEAD (256UL << 10)
#define LIMIT_MIME_PARAMS 200
#define LIMIT_MIME_TEXT (32UL << 20) /* decoded text of one message */
#define LIMIT_QUOTE (64UL << 10)     /* text of a message that is quoted */
#define LIMIT_ADDRESSES 1000
#define LIMIT_ADDRESS 1000 /* one addr-spec as text; RFC 5321 allows 254 */
#define LIMIT_REFERENCES 200
#define LIMIT_FILE_NAME 255
#define LIMIT_MIME_LINKS 1000        /* shown of one message */
#define LIMIT_HTML_DEPTH 512         /* open elements, as in a browser */
#define LIMIT_HTML_NODES (1UL << 20) /* elements and texts of one page */
#define LIMIT_CSS (2UL << 20)        /* style sheets of one page */
#define LIMIT_CALENDAR (1UL << 20)   /* one part with invitations */
#define LIMIT_CALENDAR_PARTS 8       /* of one message */
#define LIMIT_CALENDAR_LINES 20000   /* of one part */
#define LIMIT_CALENDAR_EVENTS 20     /* shown of one message */
#define LIMIT_CALENDAR_PEOPLE 100    /* attendees shown of one event */
#define LIMIT_CALENDAR_DATES 100     /* exceptions shown of one event */
#define LIMIT_CALENDAR_TEXT 8000     /* bytes of a description */
#define LIMIT_CALENDAR_WORDS 1000    /* bytes of any other text */
#define LIMIT_ZONE (64UL << 10)      /* a file of the time zone database */
#define LIMIT_CSS_RULES 20000
#define LIMIT_CSS_VALUE 4096  /* of a declaration once var() is filled in */
#define LIMIT_CSS_TREE 100000 /* elements that selectors look ahead to */
#define LIMIT_AUTHRES 100     /* Authentication-Results fields looked at */
#define LIMIT_AUTHRES_NAMES 8
#define LIMIT_DKIM_SIGNATURES 8
#define LIMIT_DKIM_KEY 4096         /* a key record */
#define LIMIT_DKIM_RECORDS 4        /* key records of one name */
#define LIMIT_DKIM_BODIES 200       /* messages verified in one call */
#define LIMIT_LOOK_HEADS 20         /* read to propose senders to an operator */
#define LIMIT_LOOK_BODIES 5         /* of these, fetched for signatures */
#define LIMIT_LOOK_BODY (1UL << 20) /* no larger one is fetched */
#define LIMIT_LOOK_MS 15000         /* for all of it */
#define LIMIT_DKIM_KEYS 256         /* looked up by one call */
#define LIMIT_DKIM_DNS_MS 4000      /* one key looked up */
#define LIMIT_DKIM_DNS_TOTAL_MS 10000 /* all of a call's */

/* Mail sources. */
#define LIMIT_DECLARATION (1UL << 20) /* a project's Markdown file */
#define LIMIT_SETTINGS 64             /* in a declaration of mail sources */
#define LIMIT_SOURCES 100             /* declared in it */
#define LIMIT_REMARKS 200             /* about it */
#define LIMIT_THREAD_IDS 2000000      /* named by messages, in total */
#define LIMIT_THREAD_FOUND 5000       /* of a search, in a store with threads */
#define LIMIT_THREAD_MESSAGES 200000  /* that one answer consists of */
#define LIMIT_THREAD_KEPT (384UL << 20) /* memory for them */
#define LIMIT_THREAD_LOOKED 5000      /* messages read for a page of threads */
#define LIMIT_THREAD_HASHED 1000      /* messages without an id, read for one */
#define LIMIT_CURSOR 8192UL           /* of a listing of threads, or a search */
#define LIMIT_THREAD_TEXT (1UL << 20) /* of one message of a thread */

/* Policy. */
#define LIMIT_REGEX 1000
#define LIMIT_SUBJECT 4096
#define LIMIT_REGEX_MATCH 100000
#define LIMIT_REGEX_DEPTH 1000
#define LIMIT_REGEX_HEAP_KIB 4096
#define LIMIT_WHITELIST_HINTS 1000 /* domains that a server is asked for */
#define LIMIT_EVEN_ROWS 50         /* rows per request, if each row costs */

/* The outbox. */
#define LIMIT_APPROVAL_S 259200   /* three days to release a held message */
#define LIMIT_SAID_S 600          /* the same message is refused this long */
#define LIMIT_COPY_MS 20000       /* to put a copy into Sent */
#define LIMIT_APPROVAL_HOURS 2160 /* maximum that the operator can set */
#define LIMIT_APPROVAL_ASKS 5     /* times a client is asked about one call */
#define LIMIT_HELD_LATE_S 3600    /* in which a late answer gets its reason */
#define LIMIT_HELD 100            /* messages of one agent that wait */
#define LIMIT_HELD_ALL 400        /* messages of one account that wait */
#define LIMIT_HELD_BYTES (256UL << 20) /* of one agent's that wait */
#define LIMIT_HELD_ALL_BYTES (1UL << 30)
#define LIMIT_CANARY 200 /* a canary, in bytes */
#define LIMIT_CANARIES 256
#define LIMIT_EDITS 100        /* edits without emcli that are listed */
#define LIMIT_STORE_FAULTS 100 /* of a database that are listed */
#define LIMIT_STORE_FAULT 256  /* bytes of each name or text in one */
#define LIMIT_STORE_VALUE (128UL << 20) /* of a file that is checked */
#define LIMIT_STORE_CHECK_MS 600000     /* all of its pages */
#define LIMIT_FREEZES 1000 /* of one agent or account, without a key */
#define LIMIT_FREEZES_SHOWN 20
#define LIMIT_FREEZE_WHY 200           /* bytes */
#define LIMIT_SECRET_VIEWS (8UL << 20) /* a text searched in disguise */
#define LIMIT_SECRET_DEEP 65536UL      /* ... in one within another */

/* Skills. */
#define LIMIT_SKILL (64UL << 10) /* a SKILL.md, or a file beside it */
#define LIMIT_SKILL_BODY 20000UL /* the part that a model gets: 5000 tokens */
#define LIMIT_LEASE_S 900 /* a grant, unless the operator sets another time */
#define LIMIT_LEASE_IDLE_S 300 /* an unused grant */
#define LIMIT_GRANTS 1000      /* live grants of one principal */

/* The Model Context Protocol. */
#define LIMIT_MCP_LINE (8UL << 20)       /* one message from a host */
#define LIMIT_MCP_WAITING 64             /* requests that wait for their turn */
#define LIMIT_MCP_WAITS_FOR (16UL << 20) /* the waiting requests together */
#define LIMIT_MCP_BODY (2UL << 20)       /* one message over HTTP */
#define LIMIT_MCP_BODIES (32UL << 20)    /* all requests to a worker together */
#define LIMIT_MCP_HEAD 8192              /* the head of a request */
#define LIMIT_MCP_HEAD_LINES 64
#define LIMIT_MCP_REPLY (128UL << 20)   /* one answer over HTTP */
#define LIMIT_MCP_CONNECTIONS 128       /* per worker */
#define LIMIT_MCP_RUNNING 8             /* calls per worker at once */
#define LIMIT_MCP_WORKERS 64            /* processes that listen */
#define LIMIT_MCP_REQUEST_MS 10000      /* for a request to come in */
#define LIMIT_MCP_IDLE_S 60             /* an idle connection */
#define LIMIT_MCP_SESSION_MS 86400000LL /* an unused session */
#define LIMIT_MCP_SESSIONS 1000         /* per agent */
#define LIMIT_AGENTS 1000               /* with a token */
#define LIMIT_MCP_GRACE_MS 5000         /* to answer after the end of input */
#define LIMIT_MCP_HOLD_MS 250           /* for a host to list again */
#define LIMIT_MCP_SETTLE_MS 40          /* and to process that list */
#define LIMIT_MCP_ASKED 8       /* per call: questions to a client's user */
#define LIMIT_MCP_ASK_MS 600000 /* for an answer over HTTP */

/* A model's request, as input of the pipes. */
#define LIMIT_REQUEST (64UL << 20)

/* `emcli ask`, a loop with a model. */
#define LIMIT_ASK_ANSWER (8UL << 20)   /* one answer, as it arrives */
#define LIMIT_ASK_EVENT (1UL << 20)    /* one event of it */
#define LIMIT_ASK_CALLS 64             /* tools called in one answer */
#define LIMIT_ASK_RESULT (512UL << 10) /* a tool's result */
#define LIMIT_ASK_TALK (32UL << 20)    /* the conversation */
#define LIMIT_ASK_WAIT_S 20            /* if the endpoint is busy */
#define LIMIT_ASK_TRIES 3
#define LIMIT_MODELS 100 /* named by the operator */

/* A trace: net/, backend/. */
#define LIMIT_TRACE (64UL << 20)       /* the file, */
#define LIMIT_TRACE_KEPT (512UL << 10) /* what doctor --trace shows, */
#define LIMIT_TRACE_LINE 2000          /* and one line */

/* Agents' homes. */
#define LIMIT_HOMES 10000
#define LIMIT_HOME_FILES 2000         /* in one, folders with them */
#define LIMIT_HOME_FILE (16UL << 20)  /* one that is copied */
#define LIMIT_HOME_BYTES (64UL << 20) /* all that are copied */
#define LIMIT_HOME_DEPTH 16           /* folders in each other */
#define LIMIT_HOME_MANIFEST (1UL << 20)
#define LIMIT_HOME_ROLE (1UL << 20) /* the text of a role */
#define LIMIT_PLACE_LOCK_MS 10000   /* for another build to end */

/* The store's disk: what a day of calls may need. */
#define LIMIT_DISK_ROOM (64UL << 20)

/* JSON. */
#define LIMIT_JSON_DEPTH 64

/* Mailboxes of agents. */
#define LIMIT_AGENT_ADDRESS 215 /* a mailbox put aside has a longer name */
#define LIMIT_PRINCIPAL 128
#define LIMIT_PATH 4096
#define LIMIT_MANIFEST (1UL << 20) /* of a session */
#define LIMIT_MANIFEST_LOCK_MS 10000
#define LIMIT_SESSIONS 10000
#define LIMIT_SESSION_FILE (64UL << 10) /* what is known of one */
#define LIMIT_SESSION_ROOT_MS 10000     /* for its mailbox root to be free */
#define LIMIT_SESSION_STOP_MS 10000     /* for its program to end by itself */
#define LIMIT_SESSION_KILL_MS 5000      /* and when it is killed */
#define LIMIT_INSTANCE (64UL << 10)     /* a record of its gateway */
#define LIMIT_IPC_MS 10000              /* to connect, read or write */
#define LIMIT_AGENTS_STDIN_MS 60000     /* for the end of standard input */
#define LIMIT_AGENTS_LOOK_MS 2000       /* for a gateway to say it is there */
#define LIMIT_AGENTS_CALL_MS 120000     /* for its answer */
/*
 * A request to it: the longest text of a message, if each byte of it is escaped
 * by another, and the rest.  And all requests to a worker together, as they are
 * counted: as announced, and as read.
 */
#define LIMIT_GATEWAY_BODY (33UL << 20)
#define LIMIT_GATEWAY_BODIES (132UL << 20)
#define LIMIT_CHILD_BYTES 65536UL  /* a line of bytes in base64 */
#define LIMIT_ATTACHMENT_LOOK 1000 /* messages looked at for one */

/* The notifier of a gateway. */
#define LIMIT_NOTIFIER_FILE (256UL << 10) /* its settings, or its state */
#define LIMIT_NOTIFIER_REFS 1000          /* unread messages that it looks at */
#define LIMIT_NOTIFIER_S 31536000         /* an interval */
#define LIMIT_NOTIFIER_ROWS 1000          /* of its audit, kept */
#define LIMIT_NOTIFIER_AUDIT (512UL << 10) /* from then on it is pruned */
#define LIMIT_NOTIFIER_LOCK_MS 2000        /* for another change to be done */
#define LIMIT_NOTIFIER_CYCLE_MS 300000     /* one poll */
#define LIMIT_NOTIFIER_BUSY_MS 30000 /* until a busy agent is tried again */
#define LIMIT_NOTIFIER_WATCH_S 900   /* waiting for a server's word, once */

/* A prompt turn, and tmux. */
#define LIMIT_PROMPT_SURFACE (1UL << 20) /* text in which a result may be */
#define LIMIT_PROMPT_SURFACES 16
#define LIMIT_PROMPT_RESULT (64UL << 10)
#define LIMIT_PROMPT_TEXT (64UL << 10) /* what is typed */
#define LIMIT_PROMPT_QUIET_MS 2000     /* a screen that waits for a person */
#define LIMIT_PROMPT_WAIT_S 3600       /* for an agent that is asked */
#define LIMIT_PROMPT_LOOK_MS 200       /* between two looks at it */
#define LIMIT_PROMPT_PERSON_S 10       /* after a key that a person pressed */
#define LIMIT_TMUX_MS 10000            /* one command */
#define LIMIT_TMUX_OUTPUT (1UL << 20)
#define LIMIT_TMUX_LINES 2000       /* of the screen's history */
#define LIMIT_PANE_MS 20000         /* for a terminal, and for its command */
#define LIMIT_PANE_TEXT (8UL << 20) /* a program, arguments, environment */

/* Operations over HTTP: of one server, but for what waits. */
#define LIMIT_HTTP_BODY (1UL << 20)    /* the arguments of a call */
#define LIMIT_HTTP_BODIES (16UL << 20) /* all requests to a worker together */
#define LIMIT_HTTP_CALLS 64            /* at once */
#define LIMIT_HTTP_CALLS_OF 8          /* of one caller */
#define LIMIT_HTTP_WAITING 64          /* requests to a worker that wait */
#define LIMIT_HTTP_WAITING_OF 8        /* of one caller */
#define LIMIT_HTTP_BUSY_S 1            /* what a refused one is told to wait */
#define LIMIT_HTTP_RETRY_S 60          /* the same after a limit of a call */

/* The broker, and the frames on its socket. */
#define LIMIT_FRAME (1UL << 20)     /* the payload of one */
#define LIMIT_FRAME_MS 10000        /* for one to be whole, or to be read */
#define LIMIT_PIPE_PART 65536UL     /* a pipe's output in one */
#define LIMIT_PIPE_WORDS 256        /* of its command line */
#define LIMIT_FRAME_PART 65536UL    /* a longer reply is a file in memory */
#define LIMIT_PASSED 104            /* descriptors with a frame */
#define LIMIT_SERVE_WORKERS 64      /* processes that run calls */
#define LIMIT_SERVE_SPARE 2         /* of these, kept when there are no calls */
#define LIMIT_SERVE_SPARE_MS 10000  /* until one more than these ends */
#define LIMIT_SERVE_CALLS 1000      /* of one process, which is then replaced */
#define LIMIT_SERVE_RUNNING 8       /* calls of one user at once */
#define LIMIT_SERVE_WATCHES 32      /* calls that wait for mail, of all */
#define LIMIT_SERVE_WATCHES_OF 8    /* of one user */
#define LIMIT_SERVE_WAITING 256     /* connections that wait */
#define LIMIT_SERVE_WAITING_OF 32   /* of one user */
#define LIMIT_SERVE_PIPES 32        /* sessions of all, such as emcli mcp */
#define LIMIT_SERVE_PIPES_OF 8      /* of one user */
#define LIMIT_SERVE_RETRY_S 1       /* what a refused one is told to wait */
#define LIMIT_SERVE_REFUSED 64      /* connections that are to be refused */
#define LIMIT_SERVE_REFUSED_MS 100  /* after which each of these is */
#define LIMIT_SERVE_CALL_MS 1800000 /* one call */
#define LIMIT_SERVE_SAVE_MS 60000   /* for a client to save one file */
#define LIMIT_READER_MS 60000       /* one reading */
#define LIMIT_READER_ASK (2UL << 20)    /* what is asked, without the message */
#define LIMIT_READER_WHOLE (64UL << 10) /* a message sent with the question */
#define LIMIT_READER_HEADS (1UL << 20)  /* headers that are sent together */
#define LIMIT_READER_ZONES 1000         /* time zones asked for meanwhile */
#define LIMIT_READER_CPU_S 600          /* of one reader */
#define LIMIT_READER_REPLY (129UL << 20) /* what a message says */
/* Of a reader that is kept: half of its processor time is always left. */
#define LIMIT_READER_CALLS 250        /* of one reader */
#define LIMIT_READER_KEPT (1UL << 20) /* bytes that it reads for a call */
#define LIMIT_READER_KEPT_MS 1000     /* that the call waits for it */
#define LIMIT_READER_IDLE_MS 30000    /* until it ends without a call */
#define LIMIT_SERVE_END_MS 10000      /* for running calls, when it ends */
#define LIMIT_AGENT_UIDS 16           /* users of one agent */

/* What a worker asks the keeper of the store's data key. */
#define LIMIT_KEEPER_ASK (128UL << 10) /* one message */
#define LIMIT_KEEPER_ANSWER 4352       /* its answer: a line of notify */
#define LIMIT_KEEPER_TEXT (65UL << 20) /* a text, sent in several */
#define LIMIT_KEEPER_MS 10000          /* for an answer to come */
#define LIMIT_KEEPER_JOINED 384        /* processes that ask it */
#define LIMIT_KEEPER_JOINED_OF 80      /* of one worker or of one server */
#define LIMIT_KEEPER_LEFT_MS 1000      /* for a wire whose process has ended */

/* A backend in another process. */
#define LIMIT_WIRED (256UL << 20)     /* one request, one answer */
#define LIMIT_WIRED_TOLD (4UL << 20)  /* one word in between */
#define LIMIT_WIRED_LINES 200         /* of a test */
#define LIMIT_WIRED_LATE_MS 3000      /* after the deadline of a request */
#define LIMIT_WIRED_LEFT_MS 86400000U /* until that deadline */
#define LIMIT_WIRED_TELL_MS 100       /* between two words about progress */

/* The broker's connections to mail servers, each in a process: a wire. */
#define LIMIT_WIRES 32
#define LIMIT_WIRES_OF 2               /* of one account */
#define LIMIT_WIRE_LEASES 1000         /* of one, which is then replaced */
#define LIMIT_WIRE_AT_ONCE 4           /* of one, by one call */
#define LIMIT_WIRE_PROVE_MS 60000      /* unused: the server is asked first */
#define LIMIT_WIRE_NOOP_MS 5000        /* for its answer */
#define LIMIT_WIRE_IDLE_MS 1740000     /* unused: it ends */
#define LIMIT_WIRE_FILES_MS 60000      /* one of files, soon started again */
#define LIMIT_WIRE_ARENA (4UL << 20)   /* of one, which then connects again */
#define LIMIT_WIRE_AGAIN_MS 1000       /* after a failure; twice that, */
#define LIMIT_WIRE_AGAIN_MAX_MS 300000 /* and so on, up to this */
#define LIMIT_WIRE_TESTS 6             /* of an account, of logins that fail, */
#define LIMIT_WIRE_TEST_AGAIN_MS 60000 /* and then one in this time */
#define LIMIT_WIRE_ACCOUNT 65536UL     /* an account's settings, in bytes */
#define LIMIT_SANDBOX_LOOK_MS 1000     /* the system's files are looked at */
#define LIMIT_TOKEN_S 3600             /* an access token is kept, at most */
#define LIMIT_TOKEN_UNKNOWN_MS 300000  /* the same, if its life is unknown */
#define LIMIT_WIRE_TICK_MS 100         /* while a call waits for one */
/* Wires without an account, which look up keys of DKIM: names. */
#define LIMIT_NAMES_WIRES 8
#define LIMIT_NAMES_WIRES_OF 4     /* of one worker or server */
#define LIMIT_NAMES_AT_ONCE 1024   /* questions of one worker or server, */
#define LIMIT_NAMES_EACH_MS 125    /* and then one in this time */
#define LIMIT_NAMES_ANSWER 66048UL /* bytes: what fits into DNS, and more */
#define LIMIT_SERVE_NAME 72        /* an account's name, in a message */
#define LIMIT_SERVE_PATH 4096      /* of a socket, in what is told of it */

/* Mailboxes of agents on a server. */
#define LIMIT_CREDENTIAL 16384UL   /* a file with a password */
#define LIMIT_CREDENTIALS 10000    /* files of them */
#define LIMIT_STALWART (4UL << 20) /* an answer of a server's management */
#define LIMIT_STALWART_MS 60000    /* for all that a command asks of it */

/* Accounts or policy as a text. */
#define LIMIT_DOCUMENT (4UL << 20)
#define LIMIT_DOCUMENT_NODES (LIMIT_DOCUMENT / 4)

/* YAML. */
#define LIMIT_YAML_DEPTH 8
#define LIMIT_YAML_NODES 10000 /* keys and values */
#define LIMIT_YAML_KEYS 5000   /* of one map */
#define LIMIT_YAML_BLANKS 4096 /* spaces and line ends in a row */

#endif
