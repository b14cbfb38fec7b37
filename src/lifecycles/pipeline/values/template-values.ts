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

export type Expanded =
  | { readonly kind: 'expanded'; readonly text: string }
  /** One sentence without its full stop. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Only what names `.hooks` is replaced, once; every other template stays as it is, for whoever knows it. */
export function expandHookValues(text: string, byHook: ReadonlyMap<string, HookValues>): Expanded {
  const data = hooksTemplateData(byHook);
  const missing: string[] = [];
  const expanded = text.replaceAll(REFERENCE, (found, dotted?: string, indexed?: string) => {
    const path = dotted === undefined ? quotedWords(indexed ?? '') : dotted.slice(1).split('.');
    const value = follow(data, path);
    if (value === undefined) missing.push(`${found} names ${whatIsMissing(data, path)}`);
    return value === undefined ? found : asText(value);
  });
  const [first] = missing;
  return first === undefined
    ? { kind: 'expanded', text: expanded }
    : { kind: 'unknown', reason: first };
}

const REFERENCE =
  /\{\{-?\s*(?:\.hooks((?:\.[A-Za-z_]\w*)+)|index\s+\.hooks((?:\s+"[^"\\]*")+))\s*-?\}\}/g;

function quotedWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"/g)].map(([, word = '']) => word);
}

function follow(data: OutputValue, path: readonly string[]): OutputValue | undefined {
  let value: OutputValue | undefined = data;
  for (const name of path) {
    // Own members only: "constructor" is no output.
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Readonly<Record<string, OutputValue>>)[name];
  }
  return value;
}

function whatIsMissing(data: Readonly<Record<string, unknown>>, path: readonly string[]): string {
  const [hook = '', ...rest] = path;
  if (!Object.hasOwn(data, hook)) return `the hook "${hook}", which has set nothing yet`;
  return `"${rest.join('.')}", which the hook "${hook}" has not set`;
}

function asText(value: OutputValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
