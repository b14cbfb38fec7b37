/** Reads hook files of both schemas into one form. */
import type { Problem } from '../../../model/problem.ts';
import type { OciHook } from '../points.ts';
import {
  fieldOf,
  readOptionalBoolean,
  readOptionalText,
  readTextList,
  type Decoder,
  readObjects,
  readOptionalInteger,
  readText,
  readTextMap,
} from './json-fields.ts';
import type { JsonObject } from './json-text.ts';
import type { HookFile, When } from './hook-file.ts';

/** A file's content, without its location. */
export type HookParts = Pick<HookFile, 'schema' | 'hook' | 'when' | 'stages'>;

/**
 * The 0.1.0 schema: hook, arguments, stages|stage, cmds|cmd, annotations|annotation, hasbindmounts; conditions combine
 * with OR. Of two synonyms, a file may have only one.
 */
export function read010(decoder: Decoder, root: readonly JsonObject[]): HookParts | undefined {
  const hook = readOldHook(decoder, root);
  const list = (names: readonly [string, string], path: string): string[] | undefined =>
    readSynonyms(decoder, root, { names, path });
  const stages = requireStages(decoder, list(['stages', 'stage'], 'stages'));
  const commands = list(['cmds', 'cmd'], 'when.commands');
  const annotationValues = list(['annotations', 'annotation'], 'when.annotationValues');
  const hasBindMounts = readOptionalBoolean(
    decoder,
    fieldOf(root, 'hasbindmounts', 'when.hasBindMounts'),
  );
  if (hook === undefined || stages === undefined) return undefined;
  return {
    schema: '0.1.0',
    hook,
    when: {
      combine: 'any',
      ...(annotationValues !== undefined && { annotationValues }),
      ...(commands !== undefined && { commands }),
      ...(hasBindMounts !== undefined && { hasBindMounts }),
    },
    stages,
  };
}

function readOldHook(decoder: Decoder, root: readonly JsonObject[]): OciHook | undefined {
  const path = readOptionalText(decoder, fieldOf(root, 'hook', 'hook.path'));
  const given = readTextList(decoder, fieldOf(root, 'arguments', 'hook.arguments'));
  if (path === undefined) {
    decoder.problems.push(missing(decoder, 'hook'));
    return undefined;
  }
  return { path, ...(given !== undefined && { args: [path, ...given] }) };
}

interface Synonyms {
  readonly names: readonly [plural: string, singular: string];
  readonly path: string;
}

function readSynonyms(
  decoder: Decoder,
  root: readonly JsonObject[],
  { names: [plural, singular], path }: Synonyms,
): string[] | undefined {
  const one = readTextList(decoder, fieldOf(root, singular, path));
  const many = readTextList(decoder, fieldOf(root, plural, path));
  if (one !== undefined && many !== undefined) {
    decoder.problems.push(bothGiven(decoder, root, { plural, singular }));
  }
  return many ?? one;
}

function bothGiven(
  decoder: Decoder,
  root: readonly JsonObject[],
  { plural, singular }: { plural: string; singular: string },
): Problem {
  const at = fieldOf(root, singular, singular).values[0]?.at ?? 0;
  return {
    code: 'LHC105',
    severity: 'error',
    message: `"${singular}" and "${plural}" are two names of one property; the file gives both.`,
    at: decoder.locate(at),
    next: `Move what "${singular}" says to "${plural}" and remove "${singular}".`,
  };
}

/** The 1.0.0 schema: version, hook{path,args,env,timeout}, when{…}, stages; conditions combine with AND. */
export function read100(decoder: Decoder, root: readonly JsonObject[]): HookParts | undefined {
  const hook = readHook(decoder, readObjects(decoder, fieldOf(root, 'hook', 'hook')));
  const when = readWhen(decoder, readObjects(decoder, fieldOf(root, 'when', 'when')));
  const stages = requireStages(decoder, readTextList(decoder, fieldOf(root, 'stages', 'stages')));
  return stages === undefined ? undefined : { schema: '1.0.0', hook, when, stages };
}

function readHook(decoder: Decoder, hook: readonly JsonObject[]): OciHook {
  const path = readText(decoder, fieldOf(hook, 'path', 'hook.path'));
  const args = readTextList(decoder, fieldOf(hook, 'args', 'hook.args'));
  const env = readTextList(decoder, fieldOf(hook, 'env', 'hook.env'));
  const timeout = readOptionalInteger(decoder, fieldOf(hook, 'timeout', 'hook.timeout'));
  return {
    path,
    // An empty argv is never intended. Podman and CRI-O also drop it when they write config.json ("omitempty").
    ...(args !== undefined && args.length > 0 && { args }),
    ...(env !== undefined && { env }),
    ...(timeout !== undefined && { timeout }),
  };
}

function readWhen(decoder: Decoder, when: readonly JsonObject[]): When {
  const at = (key: string, name = key): ReturnType<typeof fieldOf> =>
    fieldOf(when, key, `when.${name}`);
  const always = readOptionalBoolean(decoder, at('always'));
  const annotations = readTextMap(decoder, at('annotations'));
  const commands = readTextList(decoder, at('commands'));
  const hasBindMounts = readOptionalBoolean(decoder, at('hasbindmounts', 'hasBindMounts'));
  return {
    combine: 'all',
    ...(always !== undefined && { always }),
    ...(annotations !== undefined && { annotations }),
    ...(commands !== undefined && { commands }),
    ...(hasBindMounts !== undefined && { hasBindMounts }),
  };
}

/** The list may be empty: such a file loads and is never injected. */
function requireStages(decoder: Decoder, stages: string[] | undefined): string[] | undefined {
  if (stages === undefined) decoder.problems.push(missing(decoder, 'stages'));
  return stages;
}

function missing(decoder: Decoder, property: string): Problem {
  return {
    code: 'LHC104',
    severity: 'error',
    message: `The property "${property}" is required and is not given.`,
    at: decoder.positions[''] ?? decoder.locate(0),
    next: `Add "${property}".`,
  };
}
