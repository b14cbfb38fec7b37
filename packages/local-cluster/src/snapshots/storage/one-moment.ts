/**
 * Proves that a copy, made file by file, is of one moment.
 *
 * Each file is read during the copying, and compared again later. If its bytes, times and inode are then unchanged, it
 * had these bytes all the time in between. That time includes, for each file, the end of the copying. So the copy is
 * the directory as it was at that end.
 *
 * Each write and truncation changes the ctime of a file, which no program can set. A store into a memory map changes it
 * only if the page was clean, so the bytes are compared too. One change is not detected: a store into a dirty page that
 * is reverted before the comparison. A clone (reflink) needs no comparison of bytes: it first writes all dirty pages,
 * so the next store changes the ctime.
 */
import { sleep } from '../../../../../src/platform/sleep.ts';
import type { Method } from './ways.ts';
import { type ProgramPlatform, runProgram } from '../../runtime/run-program.ts';

export interface Proof {
  readonly unchanged: boolean;
  /** True if a change was detected. If `changed` and `unchanged` are both false, the result is unknown. */
  readonly changed: boolean;
  /** How the result is proven, or why it is unknown, as text for users. */
  readonly reason: string;
}

/** The state of the directories before the copy. */
export interface Before {
  /** Digest of each directory by path; null if not everything could be read in time. */
  readonly states: ReadonlyMap<string, string | null>;
  readonly atMs: number;
}

export interface Copied {
  readonly source: string;
  readonly target: string;
  readonly method: Method;
}

export type ProofPlatform = ProgramPlatform & { readonly clock: { monotonicMs(): number } };

/**
 * Milliseconds to wait before the copy, more than a tick of the kernel's clock: two changes within one tick have equal
 * times.
 */
const TICK_MS = 20;
/**
 * Milliseconds for one scan, for one comparison, and for the copying itself: the application may be frozen meanwhile.
 */
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
    return unknown(`copying took longer than ${PROOF_MS / 1_000} s, so the copy was not compared`);
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
    if (comparison === null) return unknown('not all files could be compared in time');
    if (comparison === 'differs') return CHANGED;
  }
  const how = read.length === 0 ? 'times and sizes' : 'times, sizes and bytes';
  return {
    unchanged: true,
    changed: false,
    reason: `nothing changed while it was copied: ${how} are equal`,
  };
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

/**
 * Shell command for the digest of a directory. The digest covers, for each entry, all attributes that a change of the
 * entry affects.
 */
const STATE =
  'cd "$1" && find . -printf \'%p\\0%y %s %i %m %U %G %T@ %C@ %l\\0\' | sort -z | sha256sum';
/** Shell command that compares names, types, links and bytes. It prints the first difference, or the exit code. */
const CONTENT =
  '{ diff -rq --no-dereference -- "$1" "$2" 2>&1; echo "end $?"; } | grep -avE "^File .* is a (fifo|socket) while file .* is a (fifo|socket)$" | head -n 1';
/** Output without a difference. Pipes and sockets cannot be compared, so they are left out. */
const SAME = /^end [01]$/u;
const DIFFERS = /^(Files |File |Only in |Symbolic links )/u;
const DIGEST = /^[0-9a-f]{64} {2}-$/u;

/**
 * Digest of a directory; null if it timed out or is incomplete. Error messages of the programs are also in the output.
 */
async function digest(
  platform: ProofPlatform,
  script: string,
  path: string,
): Promise<string | null> {
  const end = await runProgram(platform, ['sh', '-c', script, 'sh', path], PROOF_MS);
  return end.kind === 'ended' && end.code === 0 && DIGEST.test(end.message) ? end.message : null;
}

/** Compares a copy with its source; null if that timed out, or if a file could not be read. */
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
