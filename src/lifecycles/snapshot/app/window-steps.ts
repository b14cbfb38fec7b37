/**
 * The steps of a window of a guard. An application is frozen while the window is open, so a step waits only for its own
 * writes.
 */
import { again, type Outcome } from '../../../controller/reconcile.ts';
import type { Verdict, ApplicationSnapshot, AdmittedOutcome } from '../kinds.ts';
import { type Acting, nowText, observeEnd, recordEvent, writeStatus } from './acting.ts';
import { recordCut } from './cut-steps.ts';
import { proofOfCut, proofOfFreeze } from './cut-token.ts';
import type { Failure } from './failure.ts';
import { eventType } from './mark-steps.ts';
import { withPresentUse } from './read-sources.ts';
import { freezeWindowOf } from './verdict.ts';
import { failAdmitted, judgeAdmitted, worstOf } from './window-verdicts.ts';

/** Opens the window once all hooks have frozen. After this write the webhook admits objects (SNAP-W1). */
export async function beginAdmitting(acting: Acting): Promise<Outcome> {
  await writeStatus(acting, {
    phase: 'Cutting',
    cutRequestedAt: nowText(acting),
    ...proofOfFreeze(acting),
  });
  const message = 'The application is frozen: snapshots of other clients are admitted.';
  recordEvent(acting, 'Normal', { reason: 'Admitting', message });
  return again;
}

export async function sealWindow(acting: Acting): Promise<Outcome> {
  await writeStatus(acting, { sealedAt: nowText(acting) });
  return again;
}

/**
 * Writes with the resourceVersion that was read. An admission that it misses makes the write a conflict (SNAP-W2). A
 * single hook is released at once, since it runs its probe by itself.
 */
export async function closeWindow(
  acting: Acting,
  outcomes: ReadonlyMap<string, AdmittedOutcome>,
): Promise<Outcome> {
  const { facts } = acting;
  const admitted = (facts.snapshot.status?.admitted ?? []).map((entry) => {
    const outcome = outcomes.get(entry.uid);
    return outcome === undefined ? entry : { ...entry, outcome };
  });
  const closed = { closedAt: nowText(acting), admitted, ...proofOfCut(acting) };
  const snapshot = await writeStatus(acting, closed);
  if (facts.hooks.length > 1) return again;
  return recordCut({ ...acting, facts: { ...facts, snapshot } }, snapshot.status?.volumes ?? []);
}

/** Reads the use of the volumes after the thaw: no frozen application waits for it. */
export async function judgeWindow(acting: Acting): Promise<Outcome> {
  const { client, facts } = acting;
  const { status = {} } = facts.snapshot;
  const volumes = await withPresentUse(client, facts.snapshot, status.volumes ?? []);
  const window = { ...facts.snapshot, status: { ...status, volumes: [...volumes] } };
  const decidedAt = nowText(acting);
  const admitted = judgeAdmitted(window, facts.admitted, decidedAt);
  const worst = worstOf(admitted);
  const verdict = { ...worst, ...freezeWindow(facts.snapshot), decidedAt };
  const change = { phase: 'Completed', completedAt: decidedAt, admitted, verdict } as const;
  const written = await writeStatus(acting, change);
  const message = `${worst.reason}: ${worst.message}`;
  recordEvent(acting, eventType(worst), { reason: worst.value, message });
  observeEnd(acting, written);
  return again;
}

export async function failAll(acting: Acting, failure: Failure): Promise<Outcome> {
  const admitted = failAdmitted(acting.facts.snapshot.status?.admitted ?? [], failure);
  await writeStatus(acting, { admitted });
  return again;
}

function freezeWindow({ status }: ApplicationSnapshot): Pick<Verdict, 'freezeWindowMs'> {
  const freezeWindowMs = freezeWindowOf(status?.hooks ?? []);
  return freezeWindowMs === null ? {} : { freezeWindowMs };
}
