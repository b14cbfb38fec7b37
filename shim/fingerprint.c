/*
 * Stats a thousand files in a millisecond, so that the shim can detect a stale index of the hook
 * directories (docs/decisions/shim-index.md).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "quickjs.h"

static uint32_t mix(uint32_t hash, uint64_t value) {
  hash = (hash ^ (uint32_t)value) * 0x01000193U;
  return (hash ^ (uint32_t)(value >> 32) ^ hash >> 15) * 0x85ebca6bU;
}

/*
 * fingerprint(folder, "name/name/", seed): [hash, newest change in ms]; the algorithm is that of
 * src/platform/fingerprint.ts. A file that cannot be read by stat(2) counts as absent.
 */
JSValue native_fingerprint(JSContext *js, JSValueConst this, int argc, JSValueConst *argv) {
  const char *folder = JS_ToCString(js, argv[0]), *names = JS_ToCString(js, argv[1]), *end;
  uint32_t hash = 0;
  int64_t newest_ns = 0;
  JS_ToUint32(js, &hash, argv[2]);
  int at = open(folder, O_PATH | O_CLOEXEC);
  for (const char *from = names; (end = strchr(from, '/')) != NULL; from = end + 1) {
    char name[NAME_MAX + 1] = "";
    struct stat s = {0};
    if (end - from <= NAME_MAX) memcpy(name, from, (size_t)(end - from));
    name[end - from <= NAME_MAX ? end - from : 0] = 0;
    fstatat(at, name, &s, 0);
    int64_t modified_ns = s.st_mtim.tv_sec * 1000000000L + s.st_mtim.tv_nsec;
    int64_t changed_ns = s.st_ctim.tv_sec * 1000000000L + s.st_ctim.tv_nsec;
    hash = mix(mix(hash, s.st_ino), (uint64_t)s.st_size);
    hash = mix(mix(hash, (uint64_t)modified_ns), (uint64_t)changed_ns);
    if (changed_ns > newest_ns) newest_ns = changed_ns;
  }
  close(at);
  JS_FreeCString(js, folder);
  JS_FreeCString(js, names);
  JSValue pair = JS_NewArray(js);
  JS_SetPropertyUint32(js, pair, 0, JS_NewUint32(js, hash));
  JS_SetPropertyUint32(js, pair, 1, JS_NewFloat64(js, (double)newest_ns / 1e6));
  return pair;
}
