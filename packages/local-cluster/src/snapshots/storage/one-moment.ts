/**
 * Proves that what was copied file by file is of one moment. The copy of a file was read at some time, and the file
 * itself is looked at again later. If it has the same bytes then, and its times and its inode have not changed in
 * between, it held these bytes all the time. The end of the copying lies in between for every file: the copy is the
 * directory as it was at that moment.
 *
 * Every write and every truncation changes a file's ctime, which no program can set. A store into a memory map does
 * so only when its page was clean: that is why bytes are compared. What this cannot see is a store into a page that
 * was dirty already, and that is taken back before the comparison. A clone (reflink) writes all pages of the file out
 * first, so that the next store changes the ctime: its bytes need no comparison.
 */
import { sleep } from '../../../../../src/platform/sleep.ts';
import type { Method } from './ways.ts';
import { type ProgramPlatform, runProgram } from '../../runtime/run-program.ts';

export interface Proof {
  readonly unchanged: boolean;
  /** It was seen to change; false without `unchanged`: nobody knows. */
  readonly changed: boolean;
  /** In words: how it is known, or what has changed, or why it is not known. */
  readonly reason: string;
}

/** What the directories were like before they were copied. */
export interface Before {
  /** By path; null: not all of it could be looked at in time. */
  readonly states: ReadonlyMap<string, string | null>;
  readonly atMs: number;
}

export interface Copied {
  readonly source: string;
  readonly target: string;
  readonly method: Method;
}

export type ProofPlatform = ProgramPlatform & { readonly clock: { monotonicMs(): number } };

/** Two changes within one tick of the kernel's clock have the same time: so long nothing is copied. */
const TICK_MS = 20;
/** Of one look, of one comparison, and of the copying before them: an application may be frozen meanwhile. */
const PROOF_MS = 30_000;

export async function beforeCopying(
  platform: ProofPlatform,
  paths: readonly string[],
): Promise<Before> {
  const states = await statesOf(platform, paths);
  await sleep(platform.timers, TICK_MS);
  return { states, atMs: platform.clock.monotonicMs() };
}

export async function proveUnchanged(
  platform: ProofPlatform,
  before: Before,
  copies: readonly Copied[],
): Promise<Proof> {
  if (platform.clock.monotonicMs() - before.atMs > PROOF_MS) {
    return unknown(`copying took longer than ${PROOF_MS / 1_000} s: it was not compared`);
  }
  const after = await statesOf(
    platform,
    copies.map(({ source }) => source),
  );
  const states = copies.map(({ source }) => [before.states.get(source), after.get(source)]);
  if (states.flat().some(isUnknown)) return unknown('not all could be looked at in time');
  if (states.some(([was, is]) => was !== is)) return CHANGED;
  const read = copies.filter(({ method }) => method === 'copy');
  for (const copied of read) {
    const comparison = await compare(platform, copied);
    if (comparison === null) return unknown('not all could be compared in time');
    if (comparison === 'differs') return CHANGED;
  }
  const how = read.length === 0 ? 'times and sizes' : 'times, sizes and bytes';
  return { unchanged: true, changed: false, reason: `nothing changed while it was copied: ${how}` };
}

function isUnknown(value: string | null | undefined): boolean {
  return value === null || value === undefined;
}

async function statesOf(
  platform: ProofPlatform,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const states = paths.map(
    async (path) => [path, await digest(platform, STATE, path)] satisfies [string, string | null],
  );
  return new Map(await Promise.all(states));
}

const CHANGED: Proof = {
  unchanged: false,
  changed: true,
  reason: 'something changed while it was copied',
};

function unknown(reason: string): Proof {
  return { unchanged: false, changed: false, reason };
}

/** Of every entry all that the kernel changes with it. */
const STATE =
  'cd "$1" && find . -printf \'%p\\0%y %s %i %m %U %G %T@ %C@ %l\\0\' | sort -z | sha256sum';
/** Names, kinds, links and bytes: what a copy has in common with its source. Prints the first difference, then the end. */
const CONTENT =
  '{ diff -rq --no-dereference -- "$1" "$2" 2>&1; echo "end $?"; } | grep -avE "^File .* is a (fifo|socket) while file .* is a (fifo|socket)$" | head -n 1';
/** Where it finds no difference but pipes and sockets, which it cannot compare. */
const SAME = /^end [01]$/u;
const DIFFERS = /^(Files |File |Only in |Symbolic links )/u;
const DIGEST = /^[0-9a-f]{64} {2}-$/u;

/** null: it could not be made in time, or not of everything: whatever a program complains of is in its output. */
async function digest(
  platform: ProofPlatform,
  script: string,
  path: string,
): Promise<string | null> {
  const end = await runProgram(platform, ['sh', '-c', script, 'sh', path], PROOF_MS);
  return end.kind === 'ended' && end.code === 0 && DIGEST.test(end.message) ? end.message : null;
}

/** null: that is not known, since it took too long, or not all could be read. */
async function compare(
  platform: ProofPlatform,
  { source, target }: Copied,
): Promise<'same' | 'differs' | null> {
  const argv = ['sh', '-c', CONTENT, 'sh', source, target];
  const end = await runProgram(platform, argv, PROOF_MS);
  if (end.kind !== 'ended') return null;
  if (SAME.test(end.message)) return 'same';
  return DIFFERS.test(end.message) ? 'differs' : null;
}
