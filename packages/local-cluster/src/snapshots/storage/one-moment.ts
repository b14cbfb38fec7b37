/**
 * Proves that a copy, made file by file, is of one moment. Each file is read during the copy, and looked at again
 * later. If its bytes are equal then, and its times and its inode have not changed in between, it had these bytes all
 * the time. The end of the copying is in between for every file: the copy is the directory at that moment.
 *
 * Every write and every truncation changes the ctime of a file, which no program can set. A store into a memory map
 * changes it only if its page was clean: so the bytes are compared. One change stays undetected: a store into a dirty
 * page that is reverted before the comparison. A clone (reflink) first writes all dirty pages of the file, so the next
 * store changes the ctime: its bytes need no comparison.
 */
import { sleep } from '../../../../../src/platform/sleep.ts';
import type { Method } from './ways.ts';
import { type ProgramPlatform, runProgram } from '../../runtime/run-program.ts';

export interface Proof {
  readonly unchanged: boolean;
  /** A change was detected. False without `unchanged`: unknown. */
  readonly changed: boolean;
  /** Text: how it is proven, or why it is unknown. */
  readonly reason: string;
}

/** The state of the directories before the copy. */
export interface Before {
  /** Keyed by path; null: not everything could be read in time. */
  readonly states: ReadonlyMap<string, string | null>;
  readonly atMs: number;
}

export interface Copied {
  readonly source: string;
  readonly target: string;
  readonly method: Method;
}

export type ProofPlatform = ProgramPlatform & { readonly clock: { monotonicMs(): number } };

/** Two changes within one tick of the kernel's clock have equal times, so the copy starts one tick later. */
const TICK_MS = 20;
/** Timeout of one scan, of one comparison, and of the copying before them: an application may be frozen meanwhile. */
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
  if (states.flat().some(isUnknown)) return unknown('not all files could be read in time');
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

/** For every entry, all attributes that the kernel changes with it. */
const STATE =
  'cd "$1" && find . -printf \'%p\\0%y %s %i %m %U %G %T@ %C@ %l\\0\' | sort -z | sha256sum';
/** Compares names, types, links and bytes of a copy and its source. Prints the first difference, then the exit code. */
const CONTENT =
  '{ diff -rq --no-dereference -- "$1" "$2" 2>&1; echo "end $?"; } | grep -avE "^File .* is a (fifo|socket) while file .* is a (fifo|socket)$" | head -n 1';
/** No difference, except pipes and sockets, which cannot be compared. */
const SAME = /^end [01]$/u;
const DIFFERS = /^(Files |File |Only in |Symbolic links )/u;
const DIGEST = /^[0-9a-f]{64} {2}-$/u;

/** null: it timed out or is incomplete; error messages of the programs are in the output. */
async function digest(
  platform: ProofPlatform,
  script: string,
  path: string,
): Promise<string | null> {
  const end = await runProgram(platform, ['sh', '-c', script, 'sh', path], PROOF_MS);
  return end.kind === 'ended' && end.code === 0 && DIGEST.test(end.message) ? end.message : null;
}

/** null: unknown, because of a timeout or an unreadable file. */
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
