/**
 * The annotations CUT_SEEN and CUT_RELEASE, which report the cut to a hook, and their proof (SNAP-S8). Pure.
 *
 * Every client that may patch a hook can write these annotations, so they contain a random token. The status of the
 * snapshot has the SHA-256 of the token before the cut is requested. Only these annotations reveal the token, after the
 * cut was seen.
 */
import { sha256 } from '../../platform/digests.ts';
import type { ApplicationSnapshotStatus, ExecutionHook } from './kinds.ts';
import { CUT_RELEASE, CUT_SEEN } from './names.ts';

/** Hexadecimal digits of a SHA-256. */
const TOKEN_CHARACTERS = 64;
/**
 * Maximum number of hashes in a status; the newest are kept. Each process that continues the cut of a snapshot adds
 * one; more processes are not expected.
 */
const TOKENS_MAX = 8;

/** The value of the annotations CUT_SEEN and CUT_RELEASE. Example: `9f86…@2026-01-01T00:00:00.000000Z`. */
export function cutMark(token: string, at: string): string {
  return `${token}@${at}`;
}

/** The text before `@`, which is the token if Lifehook wrote the annotation. Another client may write any text. */
export function tokenIn(mark: string): string {
  return (mark.split('@')[0] ?? '').slice(0, TOKEN_CHARACTERS);
}

/** The token in CUT_RELEASE, or without that in CUT_SEEN; undefined: the hook has neither annotation. */
export function cutTokenOf({ metadata }: ExecutionHook): string | undefined {
  const { [CUT_RELEASE]: release, [CUT_SEEN]: seen } = metadata?.annotations ?? {};
  const mark = release ?? seen;
  return mark === undefined ? undefined : tokenIn(mark);
}

export type CutProofs = Pick<ApplicationSnapshotStatus, 'cutTokenHashes' | 'executionHookUIDs'>;

/** Whether Lifehook wrote the token after it saw the cut of this snapshot. */
export function isProven({ cutTokenHashes = [] }: CutProofs, token: string | undefined): boolean {
  return token !== undefined && cutTokenHashes.includes(sha256(token));
}

/** Whether another hook of the same name was frozen when the cut was requested (SNAP-S9). */
export function isReplaced(
  { executionHookUIDs: frozen }: CutProofs,
  { metadata }: ExecutionHook,
): boolean {
  // undefined: an earlier version of Lifehook, which recorded no UIDs, requested the cut.
  return frozen !== undefined && !frozen.includes(metadata?.uid ?? '');
}

/**
 * The token hashes with the hash of this token. Only the newest TOKENS_MAX are kept. Leaves out `executionHookUIDs`.
 */
export function withProof({ cutTokenHashes = [] }: CutProofs, token: string): CutProofs {
  const hash = sha256(token);
  if (cutTokenHashes.includes(hash)) return { cutTokenHashes };
  return { cutTokenHashes: [...cutTokenHashes, hash].slice(-TOKENS_MAX) };
}
