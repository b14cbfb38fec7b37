/** Finds keys that readers ignore silently: unknown keys, duplicates, and keys in another case. */
import { nearestWord } from '../../../model/nearest-word.ts';
import type { Problem } from '../../../model/problem.ts';
import { foldKey, type Decoder } from './json-fields.ts';
import {
  type JsonMember,
  type JsonObject,
  type JsonValue,
  locator,
  readJson,
} from './json-text.ts';
import { HOOK_FILE_MAX_BYTES, pathOf, readSchema, type HookSource } from './read-hook-file.ts';

const KEYS_0_1_0: readonly string[] = [
  'version',
  'hook',
  'arguments',
  'stages',
  'stage',
  'cmds',
  'cmd',
  'annotations',
  'annotation',
  'hasbindmounts',
];
const KEYS_1_0_0 = ['version', 'hook', 'when', 'stages'];
const KEYS_HOOK = ['path', 'args', 'env', 'timeout'];
const KEYS_WHEN = ['always', 'annotations', 'commands', 'hasBindMounts'];

/** Keys that users write from memory of the other schema, or of the runtime's own configuration. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  cmd: 'when.commands',
  cmds: 'when.commands',
  command: 'when.commands',
  commands: 'when.commands',
  annotation: 'when.annotations',
  annotations: 'when.annotations',
  hasbindmounts: 'when.hasBindMounts',
  always: 'when.always',
  arguments: 'hook.args',
  args: 'hook.args',
  path: 'hook.path',
  stage: 'stages',
};

export function keyTraps(source: HookSource): Problem[] {
  if (source.text.length > HOOK_FILE_MAX_BYTES) return [];
  const json = readJson(source.text);
  if (!json.ok || json.value.kind !== 'object') return [];
  const decoder: Decoder = {
    locate: locator(pathOf(source), source.text),
    problems: [],
    positions: {},
  };
  const root = json.value;
  const schema = readSchema(decoder, [root]);
  if (schema === undefined) return [];
  if (schema === '0.1.0') {
    return trapsOf(decoder, root, { known: KEYS_0_1_0, hint: hint010 });
  }
  return [
    ...trapsOf(decoder, root, { known: KEYS_1_0_0, hint: hint100 }),
    ...objectsAt(root, 'hook').flatMap((hook) => trapsOf(decoder, hook, { known: KEYS_HOOK })),
    ...objectsAt(root, 'when').flatMap((when) => [
      ...trapsOf(decoder, when, { known: KEYS_WHEN, hint: hint100 }),
      ...objectsAt(when, 'annotations').flatMap((map) =>
        repeatedKeys(decoder, map.members, ({ key }) => key),
      ),
    ]),
  ];
}

interface Keys {
  readonly known: readonly string[];
  /** The advice for an unknown key that users know from another format; undefined: there is none. */
  readonly hint?: (key: string) => string | undefined;
}

function hint010(key: string): string | undefined {
  return key === 'when'
    ? 'Add "version": "1.0.0": this key belongs to the schema 1.0.0.'
    : undefined;
}

function hint100(key: string): string | undefined {
  const name = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined;
  return name === undefined ? undefined : `In 1.0.0 this is "${name}".`;
}

function trapsOf(decoder: Decoder, object: JsonObject, { known, hint }: Keys): Problem[] {
  const byFold = new Map(known.map((key) => [foldKey(key), key]));
  const own = object.members.filter(({ key }) => byFold.has(foldKey(key)));
  const unknown = object.members.filter(({ key }) => !byFold.has(foldKey(key)));
  return [
    ...unknown.map((member) =>
      unknownKey(decoder, member, { known, hint: hint?.(foldKey(member.key)) }),
    ),
    ...own.flatMap((member) => oddCase(decoder, member, byFold.get(foldKey(member.key)) ?? '')),
    ...repeatedKeys(decoder, own, ({ key }) => foldKey(key)),
  ];
}

function unknownKey(
  decoder: Decoder,
  { key, at }: JsonMember,
  { known, hint }: { known: readonly string[]; hint: string | undefined },
): Problem {
  const nearest = nearestWord(foldKey(key), known);
  const suggestion = nearest === null ? 'Remove it.' : `Did you mean "${nearest}"?`;
  return {
    code: 'LHC137',
    severity: 'warning',
    message: `The key ${JSON.stringify(key)} is not known here, and is ignored.`,
    at: decoder.locate(at),
    next: hint ?? suggestion,
  };
}

function oddCase(decoder: Decoder, { key, at }: JsonMember, canonical: string): Problem[] {
  if (key === canonical) return [];
  return [
    {
      code: 'LHC138',
      severity: 'warning',
      message: `The key ${JSON.stringify(key)} is read as "${canonical}", but only by readers that ignore case.`,
      at: decoder.locate(at),
      next: `Write "${canonical}".`,
    },
  ];
}

function repeatedKeys(
  decoder: Decoder,
  members: readonly JsonMember[],
  keyOf: (member: JsonMember) => string,
): Problem[] {
  const seen = new Set<string>();
  return members.flatMap((member): Problem[] => {
    const key = keyOf(member);
    const repeated = seen.has(key);
    seen.add(key);
    if (!repeated) return [];
    return [
      {
        code: 'LHC143',
        severity: 'warning',
        message: `The key ${JSON.stringify(member.key)} is given more than once: objects are merged, and of other values only the last one is used.`,
        at: decoder.locate(member.at),
        next: 'Keep one of them.',
      },
    ];
  });
}

function objectsAt(object: JsonObject, key: string): JsonObject[] {
  return object.members
    .filter((member) => foldKey(member.key) === foldKey(key))
    .map(({ value }): JsonValue => value)
    .filter((value) => value.kind === 'object');
}
