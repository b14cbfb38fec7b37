/*
 * The entry of every shim program. It starts QuickJS with only the modules that are used, and frees nothing at the end.
 * It takes half of the time of the entry that qjsc generates (docs/decisions/shim-native-module.md).
 */
#include <string.h>
#include <unistd.h>
#include "quickjs-libc.h"

#define COLLECT_ABOVE_BYTES (16 << 20) /* Short programs end before their first collection. */

/* Written by scripts/build-shim.ts: the program, then the modules that it imports on demand. */
extern const struct lifehook_text { const char *name; const uint8_t *code; const uint32_t *size; } lifehook_texts[];
JSModuleDef *lifehook_add_native(JSContext *js, char **arguments);
void lifehook_add_supervisor(JSContext *js);
extern const JSMallocFunctions lifehook_memory; /* memory.c */

/*
 * Loads a rarely used part of the program from its own bytecode. esbuild replaces every import() by a call of this
 * function, since the import() of QuickJS needs debug information.
 */
static JSValue require(JSContext *js, JSValueConst this, int argc, JSValueConst *argv) {
  const char *name = JS_ToCString(js, argv[0]);
  const struct lifehook_text *text = lifehook_texts;
  while (text->name && strcmp(text->name, name)) text++;
  if (!text->name) return JS_ThrowReferenceError(js, "no part is called %s", name);
  JSValue module = JS_ReadObject(js, text->code, *text->size, JS_READ_OBJ_BYTECODE);
  if (JS_IsException(module) || JS_ResolveModule(js, module) < 0) return JS_EXCEPTION;
  JS_FreeValue(js, JS_EvalFunction(js, JS_DupValue(js, module)));
  return JS_GetModuleNamespace(js, JS_VALUE_GET_PTR(module));
}

int main(int argc, char **argv) {
  JSRuntime *runtime = JS_NewRuntime2(&lifehook_memory, NULL);
  JS_SetGCThreshold(runtime, COLLECT_ABOVE_BYTES);
  js_std_init_handlers(runtime);
  JSContext *js = JS_NewContextRaw(runtime);
  JS_AddIntrinsicBaseObjects(js);
  JS_AddIntrinsicDate(js);
  JS_AddIntrinsicRegExp(js);
  JS_AddIntrinsicJSON(js);
  JS_AddIntrinsicMapSet(js);
  JS_AddIntrinsicTypedArrays(js);
  JS_AddIntrinsicPromise(js);
  js_std_add_helpers(js, argc, argv);
  js_init_module_std(js, "qjs:std");
  js_init_module_os(js, "qjs:os");
  lifehook_add_native(js, argv);
  lifehook_add_supervisor(js);
  JSValue global = JS_GetGlobalObject(js);
  JS_SetPropertyStr(js, global, "require", JS_NewCFunction(js, require, "require", 1));
  js_std_eval_binary(js, lifehook_texts[0].code, *lifehook_texts[0].size, 0);
  js_std_loop(js);
  _exit(0);
}
