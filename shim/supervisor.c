/*
 * Functions for the supervisor of a container, besides native.c: a local socket, terminals, and programs that
 * run as another user. Results are as in native.c.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>
#include "quickjs-libc.h"

#define ARGUMENTS JSContext *js, JSValueConst this, int argc, JSValueConst *argv
#define FUNCTION(name) static JSValue supervisor_##name(ARGUMENTS)
#define GROUPS_MAX 65536 /* NGROUPS_MAX of Linux */
#define BACKLOG 64

static int number(JSContext *js, JSValueConst value) {
  int32_t n = -1;
  return JS_ToInt32(js, &n, value), n;
}

static JSValue result(JSContext *js, long value) {
  return JS_NewInt32(js, value < 0 ? -errno : (int)value);
}

/* The socket gets its name only after it listens, so a client is refused only if this process has exited. */
static int listen_at(int fd, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t room = sizeof address.sun_path;
  if (snprintf(address.sun_path, room, "%s.%d", path, getpid()) >= (int)room)
    return errno = ENAMETOOLONG, -1;
  unlink(address.sun_path);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) return -1;
  int failed = listen(fd, BACKLOG) < 0 || link(address.sun_path, path) < 0;
  int error = errno == EEXIST ? EADDRINUSE : errno;
  unlink(address.sun_path);
  return failed ? (errno = error, -1) : 0;
}

/* listen(path): a socket that never blocks. */
FUNCTION(listen) {
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return result(js, -1);
  const char *path = JS_ToCString(js, argv[0]);
  int failed = listen_at(fd, path);
  int error = errno;
  JS_FreeCString(js, path);
  if (!failed) return JS_NewInt32(js, fd);
  close(fd);
  return JS_NewInt32(js, -error);
}

FUNCTION(accept) {
  return result(js, accept4(number(js, argv[0]), NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

/* receive(fd): the descriptor that the other side of a socket sends. The received descriptor never blocks. */
FUNCTION(receive) {
  char text[4096], control[CMSG_SPACE(sizeof(int))];
  struct iovec piece = {text, sizeof text};
  struct msghdr message = {
    .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  if (recvmsg(number(js, argv[0]), &message, MSG_CMSG_CLOEXEC) < 0) return result(js, -1);
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_type != SCM_RIGHTS) return JS_NewInt32(js, -EBADMSG);
  int fd;
  memcpy(&fd, CMSG_DATA(header), sizeof fd);
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  return JS_NewInt32(js, fd);
}

/* terminal(): [our end, the program's end]. Our end never blocks. */
FUNCTION(terminal) {
  int ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (ours < 0) return result(js, -1);
  int theirs = unlockpt(ours) < 0 ? -1 : ioctl(ours, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (theirs < 0) {
    int error = errno;
    close(ours);
    return JS_NewInt32(js, -error);
  }
  fcntl(ours, F_SETFL, O_RDWR | O_NONBLOCK);
  JSValue list = JS_NewArray(js);
  JS_SetPropertyUint32(js, list, 0, JS_NewInt32(js, ours));
  JS_SetPropertyUint32(js, list, 1, JS_NewInt32(js, theirs));
  return list;
}

/* resize(fd, columns, rows): sets the size of a terminal. */
FUNCTION(resize) {
  struct winsize size = {.ws_col = (unsigned short)number(js, argv[1])};
  size.ws_row = (unsigned short)number(js, argv[2]);
  return result(js, ioctl(number(js, argv[0]), TIOCSWINSZ, &size));
}

static struct { int user, terminal, uid, gid, count; gid_t groups[GROUPS_MAX]; } next;

/* dress(terminal, uid | -1: unchanged, gid, ...groups): settings of the next spawn; dress(0, -1) clears them. */
FUNCTION(dress) {
  next.terminal = number(js, argv[0]);
  next.uid = number(js, argv[1]);
  next.user = next.uid != -1;
  if (!next.user) return JS_UNDEFINED;
  next.gid = number(js, argv[2]);
  for (next.count = 0; next.count < argc - 3 && next.count < GROUPS_MAX; next.count++)
    next.groups[next.count] = (gid_t)number(js, argv[3 + next.count]);
  return JS_UNDEFINED;
}

/*
 * Runs in the child of native.c's vfork. It makes the system calls directly: setuid of the C library would change the
 * parent's threads too. A change of identity clears PDEATHSIG, so that is set last.
 */
int lifehook_dress(int bond) {
  if (next.terminal && ioctl(0, TIOCSCTTY, 0) < 0) return -1;
  if (next.user) {
    if (syscall(SYS_setgroups, next.count, next.groups) < 0) return -1;
    if (syscall(SYS_setresgid, next.gid, next.gid, next.gid) < 0) return -1;
    if (syscall(SYS_setresuid, next.uid, next.uid, next.uid) < 0) return -1;
  }
  return bond == 1 ? prctl(PR_SET_PDEATHSIG, SIGKILL) : 0;
}

static const JSCFunctionListEntry functions[] = {
#define ENTRY(name, count) JS_CFUNC_DEF(#name, count, supervisor_##name)
  ENTRY(listen, 1), ENTRY(accept, 1), ENTRY(receive, 1), ENTRY(terminal, 0), ENTRY(resize, 3),
  ENTRY(dress, 3),
};

static int fill(JSContext *js, JSModuleDef *module) {
  return JS_SetModuleExportList(js, module, functions, sizeof functions / sizeof *functions);
}

void lifehook_add_supervisor(JSContext *js) {
  JSModuleDef *module = JS_NewCModule(js, "lifehook:supervisor", fill);
  JS_AddModuleExportList(js, module, functions, sizeof functions / sizeof *functions);
}
