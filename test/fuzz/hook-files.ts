/**
 * Fuzz targets "hooks-0-1-0" and "hooks-1-0-0". For any bytes, reading gives a hook file or a list of problems with
 * places inside the file, in bounded time. A hook file keeps its meaning when it is written and read again. JSON.parse
 * agrees on which texts are JSON.
 */
import { performance } from 'node:perf_hooks';

import * as fc from 'fast-check';
import { decodeUtf8, encodeUtf8 } from '../../src/platform/byte-text.ts';
import { convertHookFile } from '../../src/lifecycles/container/hooksd/convert.ts';
import type { ContainerFacts, HookFile } from '../../src/lifecycles/container/hooksd/hook-file.ts';
import { lintHookFile } from '../../src/lifecycles/container/hooksd/lint.ts';
import { literalFirst } from '../../src/lifecycles/container/hooksd/literal-first.ts';
import { matchHookFile } from '../../src/lifecycles/container/hooksd/match.ts';
import { re2Compiler } from '../../src/model/re2.ts';
import {
  readHookFile,
  type HookReading,
} from '../../src/lifecycles/container/hooksd/read-hook-file.ts';
import type { Problem } from '../../src/model/problem.ts';
import type { ByteText } from '../../src/platform/platform.ts';
import { hookFiles010, hookFiles100 } from './hook-file-texts.ts';

/** Milliseconds. Far longer than any input here needs, and far shorter than an exponential algorithm would take. */
const ONE_READING_MAX_MS = 5_000;
/** The reader's own limit: deeper texts are JSON, but are refused. */
const DEEPER_THAN_LIMIT = /\[{99}/;

interface FuzzOptions {
  readonly runs: number;
  readonly seed: number;
}

export function fuzzHooks010({ runs, seed }: FuzzOptions): void {
  fc.assert(fc.property(hookFiles010(), checkText), { numRuns: runs, seed });
}

export function fuzzHooks100({ runs, seed }: FuzzOptions): void {
  fc.assert(fc.property(hookFiles100(), checkText), { numRuns: runs, seed });
}

const compile = re2Compiler();
const containers: readonly ContainerFacts[] = [
  { annotations: {}, args: undefined, hasBindMounts: true },
  {
    annotations: { a: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', b: 'x\ny' },
    args: ['/bin/sh'],
    hasBindMounts: false,
  },
  { annotations: { '': '' }, args: [], hasBindMounts: false },
];

function read(text: ByteText): HookReading {
  return readHookFile({ folder: '/d', name: 'a.json', text }, compile);
}

function checkText(text: ByteText): void {
  const started = performance.now();
  const reading = read(text);
  const problems = lintHookFile({ folder: '/d', name: 'a.json', text }, { compile });
  checkGrammar(text, reading);
  if (reading.ok) checkFile(reading.file);
  else if (reading.problems.length === 0) throw new Error('refused without a reason');
  checkPlaces(text, reading.ok ? problems : [...problems, ...reading.problems]);
  if (performance.now() - started > ONE_READING_MAX_MS) throw new Error('took too long');
}

/** The JSON grammars of Go and JavaScript are equal, except for our limit of depth. */
function checkGrammar(text: ByteText, reading: HookReading): void {
  if (DEEPER_THAN_LIMIT.test(text)) return;
  const readAsJson = reading.ok || reading.problems.every(({ code }) => code !== 'LHC101');
  if (readAsJson !== parses(decodeUtf8(text))) {
    throw new Error(readAsJson ? 'JSON.parse refuses this' : 'JSON.parse reads this');
  }
}

function checkPlaces(text: ByteText, problems: readonly Problem[]): void {
  const lines = decodeUtf8(text).split('\n');
  for (const { at, code, message } of problems) {
    const line = lines[(at?.line ?? 0) - 1];
    const inside =
      line !== undefined && at !== undefined && at.column >= 1 && at.column <= line.length + 1;
    if (!inside || at.file !== '/d/a.json') throw new Error(`${code} is nowhere: ${message}`);
  }
}

function checkFile(file: HookFile): void {
  const again = read(encodeUtf8(JSON.stringify(contentOf(file))));
  if (!again.ok || meaningOf(again.file) !== meaningOf(file))
    throw new Error('does not round-trip');
  for (const facts of containers) matchHookFile(file, facts, { matcherOf: literalFirst(compile) });
  const conversion = convertHookFile(file);
  const made = conversion.kind === 'converted' ? [conversion.file] : [];
  for (const { text } of conversion.kind === 'refused' ? conversion.remaining : made) {
    if (!read(encodeUtf8(text)).ok) throw new Error('the converted file cannot be read');
  }
}

/**
 * The meaning of a hook file, without the order of its annotations: that order means nothing, and JavaScript objects
 * change it.
 */
function meaningOf({ schema, hook, when, stages }: HookFile): string {
  const annotations = when.annotations?.map((pair) => JSON.stringify(pair)).toSorted();
  return JSON.stringify({ schema, hook, when: { ...when, annotations }, stages });
}

function contentOf({ schema, hook, when, stages }: HookFile): object {
  const { annotations, annotationValues, commands, hasBindMounts, always } = when;
  if (schema === '0.1.0') {
    const { path, args } = hook;
    const given = { annotations: annotationValues, cmds: commands, hasbindmounts: hasBindMounts };
    return { hook: path, arguments: args?.slice(1), stages, ...given };
  }
  const pairs = annotations?.map(
    ({ key, value }) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  const map: unknown = pairs === undefined ? undefined : JSON.parse(`{${pairs.join(',')}}`);
  return {
    version: schema,
    hook,
    when: { always, annotations: map, commands, hasBindMounts },
    stages,
  };
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
