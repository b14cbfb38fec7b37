/*
 * Functions that the shim needs and QuickJS lacks (docs/decisions/shim-native-module.md). Functions return a
 * negative errno on failure, as those of QuickJS's own `os` module do. A "byte string" is a
 * JavaScript string whose every character is one byte, 0 to 255.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "quickjs-libc.h"

#define ARGUMENTS JSContext *js, JSValueConst this, int argc, JSValueConst *argv
#define FUNCTION(name) static JSValue name(ARGUMENTS)

JSValue native_fingerprint(ARGUMENTS); /* fingerprint.c */
JSValue native_signals(ARGUMENTS), native_subreaper(ARGUMENTS), native_alarm(ARGUMENTS); /* ends.c */
int lifehook_dress(int bond); /* supervisor.c */

static char **own_argv;
static sigset_t own_mask; /* The signal mask at our start, restored for a program in our place (exec, bond 0). */
static int number(JSContext *js, JSValueConst value) {
  int32_t n = -1;
  return JS_ToInt32(js, &n, value), n;
}

static JSValue result(JSContext *js, long value) {
  return JS_NewInt32(js, value < 0 ? -errno : (int)value);
}

static JSValue new_bytes(JSContext *js, const uint8_t *data, size_t size) {
  uint8_t any = 0;
  size_t out = 0;
  for (size_t i = 0; i < size; i++) any |= data[i];
  if (any < 0x80) return JS_NewStringLen(js, (const char *)data, size);
  char *utf8 = malloc(2 * size);
  for (size_t i = 0; i < size; i++) {
    if (data[i] >= 0x80) utf8[out++] = (char)(0xc0 | data[i] >> 6);
    utf8[out++] = (char)(data[i] < 0x80 ? data[i] : 0x80 | (data[i] & 0x3f));
  }
  JSValue bytes = JS_NewStringLen(js, utf8, out);
  free(utf8);
  return bytes;
}

/* The bytes of a byte string, in a block that the caller frees. */
static char *get_bytes(JSContext *js, JSValueConst value, size_t *size) {
  size_t length = 0, out = 0;
  const char *utf8 = JS_ToCStringLen(js, &length, value);
  char *data = malloc(length + 1);
  for (size_t i = 0; i < length; i++) {
    uint8_t first = (uint8_t)utf8[i];
    data[out++] = (char)(first < 0x80 ? first : first << 6 | (utf8[++i] & 0x3f));
  }
  JS_FreeCString(js, utf8);
  *size = out;
  return data;
}

/* Converts "a\0b\0" to { "a", "b", NULL }, two blocks that the caller frees. Returns `ours` for null. */
static char **get_vector(JSContext *js, JSValueConst list, char **ours) {
  if (JS_IsNull(list)) return ours;
  size_t size, count = 0;
  char *text = get_bytes(js, list, &size), *end = text + size;
  char **vector = calloc(size + 2, sizeof *vector);
  for (vector[0] = text; text < end; text += strlen(text) + 1) vector[count++] = text;
  return vector;
}

/* exec(path): replaces this process by the program at this path. Its arguments, byte for byte, its descriptors and its
 * signal mask are those with which this process started. */
FUNCTION(native_exec) {
  struct sigaction before;
  own_argv[0] = (char *)JS_ToCString(js, argv[0]);
  /* Drops a pending SIGPIPE of ours, which would kill this process as soon as it is unblocked. */
  sigaction(SIGPIPE, NULL, &before), signal(SIGPIPE, SIG_IGN), sigaction(SIGPIPE, &before, NULL);
  sigprocmask(SIG_SETMASK, &own_mask, NULL);
  return result(js, execv(own_argv[0], own_argv));
}

static sigset_t no_mask; /* crun blocks SIGCHLD for a hook; with it blocked, a shell's wait never ends. */

struct start { char *path, *cwd, **argv, **env; int stdio[3], bond; };

struct entry { uint64_t inode, next; unsigned short size; unsigned char type; char name[]; };

/* Closes all descriptors but the standard streams. Linux before 5.9 has no close_range, so there it reads /proc. */
static void close_others(void) {
  if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0) return;
  _Alignas(struct entry) char entries[2048];
  int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (long got; (got = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;)
    for (long at = 0; at < got; at += ((struct entry *)(entries + at))->size) {
      int fd = atoi(((struct entry *)(entries + at))->name);
      if (fd > 2 && fd != folder) close(fd);
    }
  close(folder);
}

/* Runs in the child between vfork and exec: async-signal-safe calls only. Returns on failure. */
static int start_program(const struct start *s) {
  if (s->bond == 3) setpgid(0, 0);
  else if (s->bond != 0) setsid();
  for (int i = 0; i < 3; i++)
    if (s->stdio[i] != i && dup2(s->stdio[i], i) < 0) return errno;
  if (s->bond != 0) close_others();
  if (lifehook_dress(s->bond) < 0 || chdir(s->cwd) < 0) return errno;
  sigprocmask(SIG_SETMASK, s->bond != 0 ? &no_mask : &own_mask, NULL);
  execve(s->path, s->argv, s->env);
  return errno;
}

/*
 * spawn("path\0cwd\0", argv | null, env | null, in, out, err, bond): the pid. For null, argv and env are those of this
 * process. bond 0: the group and the descriptors of this process; 1: its own session, whose leader is killed when this
 * process exits; 2: its own session; 3: its own group in the session of this process.
 */
FUNCTION(native_spawn) {
  char **names = get_vector(js, argv[0], NULL);
  struct start s = {.path = names[0], .cwd = names[1], .bond = number(js, argv[6])};
  s.argv = get_vector(js, argv[1], own_argv);
  s.env = get_vector(js, argv[2], environ);
  for (int i = 0; i < 3; i++) s.stdio[i] = number(js, argv[3 + i]);
  volatile int error = 0;
  pid_t pid = vfork();
  if (pid == 0) {
    error = start_program(&s);
    _exit(127);
  }
  if (pid < 0) error = errno;
  else if (error != 0) waitpid(pid, NULL, 0);
  if (s.argv != own_argv) free(s.argv[0]), free(s.argv);
  if (s.env != environ) free(s.env[0]), free(s.env);
  free(names[0]), free(names);
  return JS_NewInt32(js, error != 0 ? -error : pid);
}

/* pipe(ours): [read end, write end]. The end of this process (0: read, 1: write) never blocks. */
FUNCTION(native_pipe) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return JS_NewInt32(js, -errno);
  fcntl(ends[number(js, argv[0]) & 1], F_SETFL, O_NONBLOCK);
  JSValue list = JS_NewArray(js);
  for (uint32_t i = 0; i < 2; i++) JS_SetPropertyUint32(js, list, i, JS_NewInt32(js, ends[i]));
  return list;
}

FUNCTION(native_sync) { return result(js, fsync(number(js, argv[0]))); }
FUNCTION(native_truncate) {
  int64_t size = 0;
  JS_ToInt64(js, &size, argv[1]);
  return result(js, ftruncate(number(js, argv[0]), size));
}

/* own(fd, mode, uid, gid): sets the mode and the owner of a file. */
FUNCTION(native_own) {
  int fd = number(js, argv[0]), uid = number(js, argv[2]), gid = number(js, argv[3]);
  return result(js, fchown(fd, (uid_t)uid, (gid_t)gid) < 0 ? -1 : fchmod(fd, (mode_t)number(js, argv[1])));
}

/* read(fd, limit): a byte string, which is empty at the end. write(fd, bytes): the number of written bytes. */
FUNCTION(native_read) {
  static uint8_t usual[64 << 10]; /* A static buffer saves three allocations for each hook. */
  size_t limit = (size_t)number(js, argv[1]);
  uint8_t *data = limit > sizeof usual ? malloc(limit) : usual;
  ssize_t got = read(number(js, argv[0]), data, limit);
  JSValue bytes = got < 0 ? JS_NewInt32(js, -errno) : new_bytes(js, data, (size_t)got);
  if (data != usual) free(data);
  return bytes;
}
FUNCTION(native_write) {
  size_t size;
  char *data = get_bytes(js, argv[1], &size);
  ssize_t taken = write(number(js, argv[0]), data, size);
  free(data);
  return result(js, taken);
}

/* decode(bytes): the text, with U+FFFD for bytes that are not UTF-8. encode(text): its bytes in UTF-8. */
FUNCTION(native_decode) {
  size_t size;
  char *data = get_bytes(js, argv[0], &size);
  JSValue text = JS_NewStringLen(js, data, size);
  free(data);
  return text;
}
FUNCTION(native_encode) {
  size_t size;
  const char *utf8 = JS_ToCStringLen(js, &size, argv[0]);
  JSValue bytes = new_bytes(js, (const uint8_t *)utf8, size);
  JS_FreeCString(js, utf8);
  return bytes;
}

static const JSCFunctionListEntry functions[] = {
#define ENTRY(name, count) JS_CFUNC_DEF(#name, count, native_##name)
  ENTRY(exec, 1), ENTRY(spawn, 7), ENTRY(pipe, 1), ENTRY(signals, 1), ENTRY(subreaper, 0),
  ENTRY(sync, 1), ENTRY(truncate, 2), ENTRY(own, 4), ENTRY(read, 2), ENTRY(write, 2), ENTRY(decode, 1),
  ENTRY(encode, 1), ENTRY(fingerprint, 3), ENTRY(alarm, 1),
};

static int fill(JSContext *js, JSModuleDef *module) {
  return JS_SetModuleExportList(js, module, functions, sizeof functions / sizeof *functions);
}

JSModuleDef *lifehook_add_native(JSContext *js, char **arguments) {
  own_argv = arguments;
  sigprocmask(SIG_SETMASK, NULL, &own_mask);
  sigemptyset(&no_mask);
  signal(SIGCHLD, SIG_DFL); /* While SIGCHLD is ignored, no child leaves an exit status. */
  JSModuleDef *module = JS_NewCModule(js, "lifehook:native", fill);
  JS_AddModuleExportList(js, module, functions, sizeof functions / sizeof *functions);
  return module;
}
