/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions to the person at the terminal, on /dev/tty, so that they are asked
 * even if stdout is redirected.
 */
#include "door/prompt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <termios.h>
#include <time.h>

#include "base/path.h"
#include "door/out.h"

enum {
	UNREAD_MS = 300, /* nobody reads a question in less time */
	WORD = 6
};

static volatile sig_atomic_t interrupted;

void
prompt_stop(int sig)
{
	interrupted = sig;
}

bool
prompt_possible(void)
{
	CLEANUP(path_close) int fd = -1;

	if (!isatty(STDIN_FILENO))
		return false;
	fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
	return fd >= 0;
}

/* Until there is input.  A signal that came before ends it as well; then -1. */
static int
prompt_wait_input(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	sigset_t all, usual;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &usual);
	while (interrupted == 0 && ppoll(&p, 1, NULL, &usual) < 0 &&
	    errno == EINTR)
		;
	(void)sigprocmask(SIG_SETMASK, &usual, NULL);
	return interrupted == 0 ? 0 : -1;
}

/* One line without its end; -1 at the end of input or on a signal. */
static ssize_t
prompt_read_line(int fd, char *p, size_t size)
{
	size_t n = 0;

	while (n < size) {
		if (prompt_wait_input(fd) < 0 || read(fd, p + n, 1) != 1)
			return -1;
		if (p[n] == '\n')
			return (ssize_t)n;
		n++;
	}
	return -1;
}

/*
 * With echo off a signal must not end the process at once: the terminal would
 * stay without echo.  The first signal aborts the question, and is sent again
 * after it.
 */
static ssize_t
prompt_read_hidden(int fd, const char *question, char *p, size_t size)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
		SIGTSTP };
	enum {
		COUNT = sizeof(signals) / sizeof(signals[0])
	};
	struct sigaction note = { .sa_handler = prompt_stop }, old[COUNT];
	struct termios shown, hidden;
	ssize_t n;
	int sig;

	if (tcgetattr(fd, &shown) < 0)
		return -1;
	for (int i = 0; i < COUNT; i++)
		(void)sigaction(signals[i], &note, &old[i]);
	hidden = shown;
	hidden.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
	n = tcsetattr(fd, TCSAFLUSH, &hidden);
	/* Echo is off by now, so that a fast answer is not shown either. */
	if (n == 0 && out_write(fd, str_of(question)) == 0)
		n = prompt_read_line(fd, p, size);
	(void)out_write(fd, S("\n"));
	(void)tcsetattr(fd, TCSAFLUSH, &shown);
	for (int i = 0; i < COUNT; i++)
		(void)sigaction(signals[i], &old[i], NULL);
	sig = interrupted;
	interrupted = 0;
	if (sig != 0)
		(void)raise(sig);
	return n;
}

int
prompt_secret(const char *question, struct secret **out, struct err *e)
{
	CLEANUP(path_close) int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
	char line[4096]; /* a terminal gives no more at once */
	ssize_t n;

	if (fd < 0)
		return err_set(e, ERR_USAGE, "there is no terminal to ask at");
	n = prompt_read_hidden(fd, question, line, sizeof(line));
	if (n > 0)
		*out = secret_new(line, (size_t)n);
	secret_wipe(line, sizeof(line));
	if (n <= 0)
		return err_set(e, ERR_USAGE, "no secret was given");
	return 0;
}

/*
 * Text that was typed before the question was there, or before anybody could
 * have read it, answers something else.  The colon shows from when input
 * counts.
 */
static ssize_t
prompt_ask_fresh(int fd, struct str question, char *line, size_t size)
{
	struct timespec unread = { .tv_nsec = UNREAD_MS * 1000000L };

	(void)tcflush(fd, TCIFLUSH);
	if (out_write(fd, question) < 0)
		return -1;
	while (nanosleep(&unread, &unread) < 0 && errno == EINTR)
		if (interrupted != 0)
			return -1;
	(void)tcflush(fd, TCIFLUSH);
	if (out_write(fd, S(": ")) < 0)
		return -1;
	return prompt_read_line(fd, line, size);
}

bool
prompt_yes(const char *question)
{
	CLEANUP(path_close) int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
	char line[16];
	ssize_t n;

	if (fd < 0)
		return false;
	n = prompt_ask_fresh(fd, str_of(question), line, sizeof(line));
	return n == 3 && memcmp(line, "yes", 3) == 0;
}

/* Three syllables: nobody types them by chance, and anybody can copy them. */
static bool
prompt_make_word(char word[WORD + 1])
{
	static const char first[] = "bdfgklmnprstvz", second[] = "aeiou";
	unsigned char raw[WORD];

	if (getrandom(raw, sizeof(raw), 0) != (ssize_t)sizeof(raw))
		return false;
	for (int i = 0; i < WORD; i += 2) {
		word[i] = first[raw[i] % (sizeof(first) - 1)];
		word[i + 1] = second[raw[i + 1] % (sizeof(second) - 1)];
	}
	word[WORD] = '\0';
	return true;
}

bool
prompt_word(const char *what, struct arena *a)
{
	CLEANUP(path_close) int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
	char line[64], word[WORD + 1];
	ssize_t n;

	if (fd < 0 || !prompt_make_word(word))
		return false;
	n = prompt_ask_fresh(fd,
	    str_fmt(a, "To %s, type %s; anything else does not", what, word),
	    line, sizeof(line));
	return n >= 0 &&
	    str_eq(str_trim((struct str){ line, (size_t)n }), str_of(word));
}

int
prompt_line(const char *question, struct arena *a, struct str *out)
{
	CLEANUP(path_close) int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
	char line[4096]; /* a terminal gives no more at once */
	ssize_t n;

	if (fd < 0)
		return -1;
	(void)out_write(fd, str_of(question));
	n = prompt_read_line(fd, line, sizeof(line));
	if (n < 0)
		return -1;
	*out = str_dup(a, (struct str){ line, (size_t)n });
	return 0;
}

void
prompt_say(struct str text)
{
	CLEANUP(path_close) int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		(void)out_write(fd, text);
}
