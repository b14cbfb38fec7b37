/**
 * Decides the next step of a window of a guard between its freeze and its thaw. Pure.
 *
 *  SNAP-W2 Only admissions in the status are decided. A close that misses an admission ends in a write conflict.
 *  SNAP-W4 A window closes when every admitted object is settled, at the latest at the cut deadline. A window without
 *     an admitted object fails APPEARS_WITHIN_MS after the freeze.
 */
import { DEFAULT_CUT_DEADLINE_SECONDS } from '../names.ts';
import type { AdmittedOutcome } from '../kinds.ts';
import { type AdmittedFacts, APPEARS_WITHIN_MS } from './admitted-facts.ts';
import { decideFreeze } from './decide-freeze.ts';
import type { SnapshotFacts } from './facts.ts';
import type { Failure } from './failure.ts';
import type { Step } from './step.ts';
import { settledOf } from './window-verdicts.ts';

/** The failure reason of a window whose hooks froze too slowly for the request that opened it. */
export const FREEZE_TIMEOUT = 'FreezeTimeout';

/**
 * The reason why no request can still wait for the window; null: one may. Call before anything is planned. Checks only
 * windows that were opened before the first reconcile of this term, so that a wrong clock fails no other window.
 */
export function whyAbandoned({
  snapshot,
  isInherited = false,
  nowMs,
}: SnapshotFacts): Failure | null {
  const { metadata, spec } = snapshot;
  if (spec.window === undefined || !isInherited) return null;
  const { freezeTimeoutSeconds: seconds } = spec.window;
  // A creationTimestamp has whole seconds, so one second is added.
  const limitMs = (seconds + 1) * 1_000;
  if (!(nowMs - Date.parse(metadata?.creationTimestamp ?? '') >= limitMs)) return null;
  const message = `no controller was the leader within ${seconds} s (freezeTimeoutSeconds), so the request that opened this window no longer waits: nothing is frozen`;
  return { reason: FREEZE_TIMEOUT, message };
}

/** Decides the steps before the window admits objects. Undoes a freeze for which no request waits any more. */
export function decideWindowFreeze(facts: SnapshotFacts): Step {
  const { snapshot, nowMs } = facts;
  const { freezeTimeoutSeconds: seconds = 0 } = snapshot.spec.window ?? {};
  const step = decideFreeze(facts);
  if (step.kind === 'requestCut') return { kind: 'beginAdmitting' };
  if (step.kind === 'fail') return step;
  const leftMs = Date.parse(snapshot.status?.startedAt ?? '') + seconds * 1_000 - nowMs;
  if (leftMs <= 0) {
    const message = `the hooks have not frozen within ${seconds} s (freezeTimeoutSeconds), so the request that opened this window no longer waits`;
    return { kind: 'fail', reason: FREEZE_TIMEOUT, message };
  }
  return step.kind === 'waitFor' ? { ...step, ms: Math.min(step.ms, leftMs) } : step;
}

/** The step of an open window, when all hooks have frozen. */
export function decideOpenWindow(facts: SnapshotFacts, requestedAt: string): Step {
  const { snapshot, admitted, nowMs } = facts;
  const { cutForMs = nowMs - Date.parse(requestedAt) } = facts;
  const frozen = admitted.filter(({ entry }) => entry.unfrozen === undefined);
  if (frozen.length === 0) return decideEmpty(cutForMs);
  const states = frozen.map((each) => ({
    uid: each.entry.uid,
    state: settledOf(each, snapshot.status?.volumes ?? []),
  }));
  const pending = states.flatMap(({ state }) => (state.kind === 'pending' ? state.message : []));
  const leftMs = deadlineMs(facts) - cutForMs;
  const holdMs = holdOpenMs(facts, frozen, leftMs);
  if (leftMs > 0 && (pending.length > 0 || holdMs > 0)) {
    return waitOrSeal(facts, { leftMs, holdMs, pending });
  }
  const outcomes = states.map(({ uid, state }): readonly [string, AdmittedOutcome] => [
    uid,
    state.kind === 'settled' ? state.outcome : 'NotCut',
  ]);
  return { kind: 'closeWindow', outcomes: new Map(outcomes) };
}

function deadlineMs({ snapshot }: SnapshotFacts): number {
  return (snapshot.spec.cutDeadlineSeconds ?? DEFAULT_CUT_DEADLINE_SECONDS) * 1_000;
}

/** Milliseconds that the window stays open for more requests, counted from its last admission; 0 once it is sealed. */
function holdOpenMs(
  facts: SnapshotFacts,
  frozen: readonly AdmittedFacts[],
  leftMs: number,
): number {
  const { spec, status } = facts.snapshot;
  if (status?.sealedAt !== undefined) return 0;
  const quietMs = Math.min(...frozen.map(({ forMs }) => forMs));
  const holdMs = (spec.window?.holdOpenSeconds ?? 0) * 1_000 - quietMs;
  return Math.min(holdMs, sealMs(facts, leftMs));
}

/** Milliseconds until the second half of the window's time begins. `leftMs`: milliseconds until the cut deadline. */
function sealMs(facts: SnapshotFacts, leftMs: number): number {
  return leftMs - deadlineMs(facts) / 2;
}

interface Waiting {
  /** Milliseconds until the cut deadline. */
  readonly leftMs: number;
  readonly holdMs: number;
  /** The conditions that the window waits for, as texts; empty: it is only held open. */
  readonly pending: readonly string[];
}

/**
 * Waits, or seals the window: it admits nothing in the second half of its time, so that the objects that it admitted
 * can still be cut.
 */
function waitOrSeal(facts: SnapshotFacts, { leftMs, holdMs, pending }: Waiting): Step {
  const waits = [leftMs];
  if (facts.snapshot.status?.sealedAt === undefined) {
    const admitsMs = sealMs(facts, leftMs);
    if (admitsMs <= 0) return { kind: 'sealWindow' };
    waits.push(admitsMs);
  }
  waits.push(...(pending.length > 0 ? appearancesMs(facts) : [holdMs]));
  const reason = pending.length > 0 ? pending.join('; ') : 'it is held open for more requests';
  return { kind: 'waitFor', ms: Math.max(1, Math.min(...waits)), reason };
}

/** Milliseconds until each object that is still missing is looked for on the server. */
function appearancesMs({ admitted }: SnapshotFacts): readonly number[] {
  return admitted
    .filter(({ object, isMissing }) => object === null && !isMissing)
    .filter(({ entry }) => entry.unfrozen === undefined)
    .map(({ forMs }) => APPEARS_WITHIN_MS - forMs);
}

/**
 * The step for a window without admitted requests: it waits for a request, and then fails. The API server or the client
 * may have stopped waiting during the freeze.
 */
function decideEmpty(cutForMs: number): Step {
  const leftMs = APPEARS_WITHIN_MS - cutForMs;
  if (leftMs > 0) return { kind: 'waitFor', ms: leftMs, reason: 'no request is admitted yet' };
  const message = `no request was admitted within ${APPEARS_WITHIN_MS / 1_000} s after the freeze: the API server or the client had stopped waiting`;
  return { kind: 'fail', reason: 'NothingAdmitted', message };
}
