/**
 * Values of hooks in texts of the configuration: `{{ .hooks.version.FOO }}` in tags, build arguments, helm values.
 * An address contains slashes: `{{ index .hooks "build/web/after/0" "FOO" }}`. Pure.
 */
import type { OutputValue } from './env-file.ts';
import type { HookValues } from './session-values.ts';

/** The data of `.hooks` for template evaluation. An output overrides a value of the same name. */
export function hooksTemplateData(
  byHook: ReadonlyMap<string, HookValues>,
): Record<string, Record<string, OutputValue>> {
  return Object.fromEntries(
    [...byHook].map(([hook, { values, outputs }]) => [hook, { ...values, ...outputs }]),
  );
}
