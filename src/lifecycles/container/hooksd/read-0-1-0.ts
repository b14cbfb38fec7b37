/**
 * The 0.1.0 schema: hook, arguments, stages|stage, cmds|cmd, annotations|annotation, hasbindmounts;
 * conditions combine with OR. Each pair of synonyms may be given under one of its names only.
 */
import type { Problem } from '../../../model/problem.ts';
import type { OciHook } from '../points.ts';
import {
  fieldOf,
  readOptionalBoolean,
  readOptionalText,
  readTextList,
  type Decoder,
} from './json-fields.ts';
import type { JsonObject } from './json-text.ts';
import { missing, requireStages, type HookParts } from './hook-parts.ts';

export function read010(decoder: Decoder, root: readonly JsonObject[]): HookParts | undefined {
  const hook = readHook(decoder, root);
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

function readHook(decoder: Decoder, root: readonly JsonObject[]): OciHook | undefined {
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
