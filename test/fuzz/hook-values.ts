/**
 * Fuzz targets "env-file" and "set-env": files and lines that hooks write. A reader must never throw, set a denied
 * name, or set anything from a refused file. It must read back values that were written in a known way.
 */
import * as fc from 'fast-check';

import { isDeniedName } from '../../src/lifecycles/pipeline/values/denied-names.ts';
import { readEnvFile } from '../../src/lifecycles/pipeline/values/env-file.ts';
import { parseSetEnv, StdoutChannel } from '../../src/lifecycles/pipeline/values/stdout-channel.ts';

interface Options {
  readonly runs: number;
  readonly seed?: number;
}

const piece = fc.constantFrom(
  'FOO',
  'PATH',
  'ld_preload',
  '__proto__',
  '=',
  '<<',
  'END',
  '\n',
  '\r\n',
  '::',
  'set-env ',
  'name=',
  ',',
  '%0A',
  '%25',
  ' ',
  '\0',
  'é',
);
const noise = fc
  .array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 30 })
  .map((pieces) => pieces.join(''));
const name = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,8}$/).filter((one) => !isDeniedName(one));
const value = fc.string({ maxLength: 20 }).filter((text) => !/[\0\r\n]/.test(text));

/** Throws with the seed and the smallest failing case. */
export function fuzzEnvFile({ runs, ...seed }: Options): void {
  fc.assert(fc.property(noise, checkEnvNoise), { numRuns: runs, ...seed });
  const entries = fc.array(fc.tuple(name, fc.array(value, { minLength: 1, maxLength: 3 })), {
    maxLength: 5,
  });
  fc.assert(fc.property(entries, checkWritten), { numRuns: runs, ...seed });
}

function checkEnvNoise(text: string): void {
  const read = readEnvFile(text);
  if (read.kind === 'read') mustBeAllowed(Object.keys(read.values));
}

/**
 * Writes entries and expects to read the same. A value of several lines ends at a delimiter that equals none of its
 * lines.
 */
function checkWritten(entries: readonly (readonly [string, readonly string[]])[]): void {
  const text = entries.map(([key, lines]) => {
    if (lines.length === 1) return `${key}=${lines[0] ?? ''}\n`;
    const end = `END-${lines.join('').length}-${lines.join('')}`;
    return `${key}<<${end}\n${lines.join('\n')}\n${end}\n`;
  });
  const read = readEnvFile(text.join(''));
  const wanted = Object.fromEntries(entries.map(([key, lines]) => [key, lines.join('\n')]));
  const got = read.kind === 'read' ? read.values : {};
  if (read.kind !== 'read' || JSON.stringify(got) !== JSON.stringify(wanted)) {
    throw new Error(`${JSON.stringify(wanted)} was read as ${JSON.stringify(read)}`);
  }
}

export function fuzzSetEnv({ runs, ...seed }: Options): void {
  const cuts = fc.array(fc.nat(60), { maxLength: 4 });
  fc.assert(fc.property(noise, cuts, checkChannel), { numRuns: runs, ...seed });
  fc.assert(fc.property(name, value, checkCommand), { numRuns: runs, ...seed });
}

/** The values must not depend on how the output is split, and only lines that begin with "::" may set one. */
function checkChannel(text: string, cuts: readonly number[]): void {
  const whole = feed([text]);
  const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
  const pieces = places.slice(1).map((end, at) => text.slice(places[at], end));
  const inPieces = feed(pieces);
  if (JSON.stringify(whole) !== JSON.stringify(inPieces)) throw new Error('it depends on the cuts');
  mustBeAllowed(whole.values.map(([key]) => key));
  const commands = text.split('\n').filter((line) => line.trimStart().startsWith('::set-env '));
  if (whole.values.length > commands.length) throw new Error('another line has set a value');
}

function feed(pieces: readonly string[]): {
  values: [string, string][];
  shown: string;
  refused: boolean;
} {
  const channel = new StdoutChannel([]);
  const shown = pieces.map((one) => channel.push(one)).join('') + channel.end();
  return { values: [...channel.values], shown, refused: channel.refused !== null };
}

function checkCommand(key: string, text: string): void {
  const escaped = text.replaceAll('%', '%25');
  const read = parseSetEnv(`::set-env name=${key}::${escaped}`);
  if (read?.name !== key || read.value !== text) throw new Error(`read as ${JSON.stringify(read)}`);
}

function mustBeAllowed(names: readonly string[]): void {
  const denied = names.filter((one) => isDeniedName(one));
  if (denied.length > 0) throw new Error(`set: ${denied.join(', ')}`);
}
