/* Exits of processes: our children, the orphans that we adopt, and this process. Results are as in native.c. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "quickjs.h"

#define ARGUMENTS JSContext *js, JSValueConst this, int argc, JSValueConst *argv

static int number(JSContext *js, JSValueConst value) {
  int32_t n = -1;
  return JS_ToInt32(js, &n, value), n;
}

/* signals(fd | -1: a new one, ...numbers): the descriptor from which these signals, now blocked, are read. */
JSValue native_signals(ARGUMENTS) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 1; i < argc; i++) sigaddset(&set, number(js, argv[i]));
  sigprocmask(SIG_SETMASK, &set, NULL);
  int fd = signalfd(number(js, argv[0]), &set, SFD_CLOEXEC | SFD_NONBLOCK);
  return JS_NewInt32(js, fd < 0 ? -errno : fd);
}

/* subreaper(): from now on our orphaned descendants are our children. */
JSValue native_subreaper(ARGUMENTS) {
  return JS_NewInt32(js, prctl(PR_SET_CHILD_SUBREAPER, 1) < 0 ? -errno : 0);
}

/* alarm(seconds): SIGALRM kills this process after that time, except while a system call cannot be interrupted. */
JSValue native_alarm(ARGUMENTS) {
  signal(SIGALRM, SIG_DFL);
  alarm((unsigned)number(js, argv[0]));
  return JS_UNDEFINED;
}
