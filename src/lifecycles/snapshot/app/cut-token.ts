/**
 * The token by which this process proves to a hook, and later to the verdict, that it has seen the cut of a snapshot
 * (SNAP-S8). Nobody else knows it before that. A process that continues the snapshot of another one has its own token.
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

/** The part of the status by which the token is recognized later. */
export function proofOfCut(acting: Acting): CutProofs {
  return withProof(acting.facts.snapshot.status ?? {}, cutTokenOf(acting));
}

/** The status that the server answered does not have the proof that was sent: its definition does not know the field. */
export function isProofDropped(acting: Acting, { status = {} }: ApplicationSnapshot): boolean {
  return !isProven(status, cutTokenOf(acting));
}

export const DEFINITION_OUTDATED: Failure = {
  reason: 'DefinitionOutdated',
  message:
    'the server drops status.cutTokenHashes, since its definition of ApplicationSnapshot is older than this controller; run `lifehook install | kubectl apply --server-side -f -`',
};

/** To be written with the request of the cut. */
export function proofOfFreeze(acting: Acting): CutProofs {
  const executionHookUIDs = acting.facts.hooks.flatMap(({ hook }) => hook?.metadata?.uid ?? []);
  return { ...proofOfCut(acting), executionHookUIDs };
}

/** Makes the proof durable before the token is revealed, if another process has requested the cut. */
export async function proveCut(acting: Acting): Promise<Acting> {
  const { snapshot } = acting.facts;
  if (isProven(snapshot.status ?? {}, cutTokenOf(acting))) return acting;
  const proven = await writeStatus(acting, proofOfCut(acting));
  return { ...acting, facts: { ...acting.facts, snapshot: proven } };
}
