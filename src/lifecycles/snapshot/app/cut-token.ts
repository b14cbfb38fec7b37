/**
 * The token by which this process proves to a hook, and later to the verdict, that it has seen the cut of a snapshot
 * (SNAP-S8). No other process knows the token before that. A process that continues the snapshot of another process has
 * its own token.
 */
import { sha256 } from '../../../platform/digests.ts';
import { type CutProofs, isProven, withProof } from '../cut-mark.ts';
import type { ApplicationSnapshot } from '../kinds.ts';
import { type Acting, writeStatus } from './acting.ts';
import type { Failure } from './failure.ts';
import { identify } from './identify.ts';

interface Secret extends Pick<Acting, 'cutSecret'> {
  readonly facts: Pick<Acting['facts'], 'snapshot'>;
}

export function cutTokenOf({ cutSecret, facts }: Secret): string {
  return sha256(`${cutSecret}/${identify(facts.snapshot).uid}`);
}

/** The part of the status that proves later that the token is genuine. */
export function proofOfCut(acting: Acting): CutProofs {
  return withProof(acting.facts.snapshot.status ?? {}, cutTokenOf(acting));
}

/**
 * Whether the status that the server answered lacks the proof that was sent: its definition does not know the field.
 */
export function isProofDropped(acting: Acting, { status = {} }: ApplicationSnapshot): boolean {
  return !isProven(status, cutTokenOf(acting));
}

export const DEFINITION_OUTDATED: Failure = {
  reason: 'DefinitionOutdated',
  message:
    'the server drops status.cutTokenHashes, since its definition of ApplicationSnapshot is older than this controller; run `lifehook install | kubectl apply --server-side -f -`',
};

/** The fields to write together with the request of the cut. */
export function proofOfFreeze(acting: Acting): CutProofs {
  const executionHookUIDs = acting.facts.hooks.flatMap(({ hook }) => hook?.metadata?.uid ?? []);
  return { ...proofOfCut(acting), executionHookUIDs };
}

/** Stores the proof before the token is revealed. The proof is missing if another process has requested the cut. */
export async function proveCut(acting: Acting): Promise<Acting> {
  const { snapshot } = acting.facts;
  if (isProven(snapshot.status ?? {}, cutTokenOf(acting))) return acting;
  const proven = await writeStatus(acting, proofOfCut(acting));
  return { ...acting, facts: { ...acting.facts, snapshot: proven } };
}
