/*
 * The entry of every shim program: a QuickJS with only what the bundle uses, no clean-up at the
 * end. Half of the start-up time of the one that qjsc generates (docs/decisions/shim-native-module.md).
 */
#include <unistd.h>
#include "quickjs-libc.h"

#define COLLECT_ABOVE_BYTES (16 << 20) /* Short programs end before their first collection. */

extern const uint8_t lifehook_program[], lifehook_seldom[] __attribute__((weak));
extern const uint32_t lifehook_program_size, lifehook_seldom_size __attribute__((weak));
JSModuleDef *lifehook_add_native(JSContext *js, char **arguments);

/*
 * What the program imports when it needs it (src/lifecycles/container/runner/seldom.ts): esbuild makes a
 * call of `require` of it, since QuickJS' own import() works only with the debug information in.
 */
static JSValue require(JSContext *js, JSValueConst this, int argc, JSValueConst *argv) {
  JSValue module = JS_ReadObject(js, lifehook_seldom, lifehook_seldom_size, JS_READ_OBJ_BYTECODE);
  if (JS_IsException(module) || JS_ResolveModule(js, module) < 0) return JS_EXCEPTION;
  JS_FreeValue(js, JS_EvalFunction(js, JS_DupValue(js, module)));
  return JS_GetModuleNamespace(js, JS_VALUE_GET_PTR(module));
}

int main(int argc, char **argv) {
  JSRuntime *runtime = JS_NewRuntime();
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
  JSValue global = JS_GetGlobalObject(js);
  JS_SetPropertyStr(js, global, "require", JS_NewCFunction(js, require, "require", 1));
  js_std_eval_binary(js, lifehook_program, lifehook_program_size, 0);
  js_std_loop(js);
  _exit(0);
}
