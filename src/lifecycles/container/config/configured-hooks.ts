/**
 * Reads the existing hooks of a config.json, each with its position. Like splice.ts, it refuses a config.json that two
 * runtimes would read differently.
 */
import type { Source } from '../../../model/hook.ts';
import type { Position, Problem } from '../../../model/problem.ts';
import type { ByteText } from '../../../platform/platform.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';
import { TIMEOUT_MAX_SECONDS } from '../hooksd/check-hook.ts';
import { locator } from '../hooksd/json-text.ts';
import { stages, type OciHook, type Stage } from '../points.ts';
import {
  type ConfigObject,
  isObject,
  namedTwice,
  type UnplacedProblem,
  wrongKind,
} from './config-text.ts';
import { findHooks, soleMember } from './find-hooks.ts';
import { endOfValue, scanItems, scanMembers } from './json-scan.ts';

/** A hook and where it is defined: an entry of config.json, or a hooks.d file. */
export interface PlacedHook {
  readonly hook: OciHook;
  readonly source: Source;
}

export interface ConfiguredHooks {
  readonly hooks: Readonly<Partial<Record<Stage, readonly PlacedHook[]>>>;
  readonly problems: readonly Problem[];
}

export interface ConfigFile {
  /** The path of the config.json, for messages. */
  readonly file: string;
  readonly text: ByteText;
  readonly config: ConfigObject;
}

interface Reader extends ConfigFile {
  readonly locate: (offset: number) => Position;
  readonly problems: Problem[];
}

export function readConfiguredHooks(configFile: ConfigFile): ConfiguredHooks {
  const { file, text, config } = configFile;
  const reader: Reader = { ...configFile, locate: locator(file, text), problems: [] };
  const place = findHooks(text, Object.keys(config));
  const hooks: Partial<Record<Stage, readonly PlacedHook[]>> = {};
  if (place.kind === 'ambiguous') complain(reader, place.keyAt, namedTwice('hooks', place.key));
  if (place.kind !== 'present' || isNull(text, place.valueAt)) {
    return { hooks, problems: reader.problems };
  }
  if (text[place.valueAt] !== '{') complain(reader, place.valueAt, wrongKind('hooks', 'an object'));
  else {
    const members = scanMembers(text, place.valueAt);
    for (const stage of stages) {
      const member = soleMember(members, stage);
      if (member === null) continue;
      if ('ambiguous' in member) {
        complain(reader, member.ambiguous.keyAt, namedTwice(stage, member.ambiguous.key));
      } else hooks[stage] = readStage(reader, stage, member.valueAt);
    }
  }
  return { hooks, problems: reader.problems };
}

function readStage(reader: Reader, stage: Stage, valueAt: number): PlacedHook[] {
  const { text } = reader;
  if (isNull(text, valueAt)) return [];
  if (text[valueAt] !== '[') {
    complain(reader, valueAt, wrongKind(stage, 'a list'));
    return [];
  }
  return scanItems(text, valueAt).flatMap((at, index) => {
    const value: unknown = JSON.parse(decodeUtf8(text.slice(at, endOfValue(text, at))));
    const checked = checkOciHook(`${stage} hook #${index}`, value);
    if (checked.kind === 'hook') {
      return [{ hook: checked.hook, source: { kind: 'file', ...reader.locate(at) } }];
    }
    complain(reader, at, checked.problem);
    return [];
  });
}

function isNull(text: ByteText, at: number): boolean {
  return text.startsWith('null', at);
}

function complain(reader: Reader, offset: number, problem: UnplacedProblem): void {
  reader.problems.push({ ...problem, severity: 'error', at: reader.locate(offset) });
}

type CheckedHook =
  | { readonly kind: 'hook'; readonly hook: OciHook }
  | { readonly kind: 'refused'; readonly problem: UnplacedProblem };

/**
 * Checks a hook of a config.json by the OCI runtime specification (config.md "POSIX-platform Hooks"). Runtimes allow
 * more, and they disagree: runc resolves a relative path in the bundle, crun searches a bare name on its PATH, and a
 * timeout of 0 means "no timeout" to one of them and "at once" to the other. So we refuse everything that the
 * specification forbids, whichever runtime is used.
 *
 * `name` identifies the entry for the user, such as "createRuntime hook #1".
 */
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
  // The rules have checked the type of each field.
  return { kind: 'hook', hook: Object.fromEntries(present) as unknown as OciHook };
}

/** runc (Go) and crun (yajl) treat a null field as a missing one. Fields other than these have no meaning. */
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
    next: 'Write the absolute path of the program: "/usr/bin/…".',
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
