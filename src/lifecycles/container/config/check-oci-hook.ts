/**
 * Checks a hook of a config.json by the OCI runtime specification (config.md "POSIX-platform
 * Hooks"). Runtimes are laxer and disagree: runc resolves a relative path in the bundle, crun searches a
 * bare name on its PATH, a timeout of 0 is "none" for one and "at once" for the other. So everything that the
 * specification forbids is refused here, for every runner.
 */
import { TIMEOUT_MAX_SECONDS } from '../hooksd/check-hook.ts';
import type { OciHook } from '../points.ts';
import { isObject, type UnplacedProblem } from './config-text.ts';

export type CheckedHook =
  | { readonly kind: 'hook'; readonly hook: OciHook }
  | { readonly kind: 'refused'; readonly problem: UnplacedProblem };

/** `name` identifies the entry for the user: "createRuntime hook #1". */
export function checkOciHook(name: string, entry: unknown): CheckedHook {
  if (!isObject(entry)) return refused(`${name} must be an object`, 'Write {"path": "/…"}.');
  const given = Object.fromEntries(fields.map((field) => [field, entry[field] ?? undefined]));
  for (const { field, holds, must, next } of rules) {
    const value = given[field];
    if (holds(value)) continue;
    const received = value === undefined ? 'is missing' : `is ${JSON.stringify(value)}`;
    return refused(`"${field}" of ${name} must be ${must}, but ${received}`, next);
  }
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  // The rules above establish this type.
  return { kind: 'hook', hook: Object.fromEntries(present) as unknown as OciHook };
}

/** A null or missing field is absent, for Go and yajl alike; other fields have no meaning. */
const fields = ['path', 'args', 'env', 'timeout'] as const;

interface Rule {
  readonly field: (typeof fields)[number];
  readonly holds: (value: unknown) => boolean;
  readonly must: string;
  readonly next: string;
}

const rules: readonly Rule[] = [
  {
    field: 'path',
    holds: (value) => isText(value) && value.startsWith('/'),
    must: 'an absolute path',
    next: 'Name the program from the root folder on: "/usr/bin/…".',
  },
  {
    field: 'args',
    holds: (value) => value === undefined || isListOf(value, isText),
    must: 'a list of strings without NUL',
    next: 'Write the whole argv; its first entry is the name of the program.',
  },
  {
    field: 'env',
    holds: (value) => value === undefined || isListOf(value, isAssignment),
    must: 'a list of "NAME=value" strings without NUL',
    next: 'Correct the list, or leave it out for an empty environment.',
  },
  {
    field: 'timeout',
    holds: (value) => value === undefined || isTimeout(value),
    must: `whole seconds from 1 to ${TIMEOUT_MAX_SECONDS}`,
    next: 'Correct it, or leave it out for no deadline.',
  },
];

function isListOf(value: unknown, holds: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => holds(item));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

function isAssignment(value: unknown): boolean {
  return isText(value) && value.indexOf('=') > 0;
}

function isTimeout(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= TIMEOUT_MAX_SECONDS;
}

function refused(what: string, next: string): CheckedHook {
  return { kind: 'refused', problem: { code: 'LHC204', message: `${what}.`, next } };
}
