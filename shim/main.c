/*
 * The entry of every shim program: a QuickJS with only what the bundle uses, no clean-up at the
 * end. Half of the start-up time of the one that qjsc generates (docs/decisions/shim-native-module.md).
 */
#include <unistd.h>
#include "quickjs-libc.h"

#define COLLECT_ABOVE_BYTES (16 << 20) /* Short programs end before their first collection. */

extern const uint8_t lifehook_program[];
extern const uint32_t lifehook_program_size;
JSModuleDef *lifehook_add_native(JSContext *js, char **arguments);

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
  js_std_eval_binary(js, lifehook_program, lifehook_program_size, 0);
  js_std_loop(js);
  _exit(0);
}
