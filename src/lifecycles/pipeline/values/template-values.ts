/**
 * Values of hooks in texts of the configuration: `{{ .hooks.version.FOO }}` in tags, build arguments, helm values.
 * An address has slashes: `{{ index .hooks "build/web/after/0" "FOO" }}`. Pure.
 */
import type { OutputValue } from './env-file.ts';
import type { HookValues } from './session-values.ts';

/** For who evaluates templates: what `.hooks` is. An output of the same name hides a value. */
export function hooksTemplateData(
  byHook: ReadonlyMap<string, HookValues>,
): Record<string, Record<string, OutputValue>> {
  return Object.fromEntries(
    [...byHook].map(([hook, { values, outputs }]) => [hook, { ...values, ...outputs }]),
  );
}
