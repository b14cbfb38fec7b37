/** Handles a snapshot that cannot begin because the server lacks kinds: reports that once, and waits. */
import { findCondition, setCondition } from '../../../controller/conditions.ts';
import { type Outcome, requeueAfter } from '../../../controller/reconcile.ts';
import { LOOK_MS } from '../../../controller/served-kind.ts';
import type { ApplicationSnapshotStatus } from '../kinds.ts';
import { type Acting, recordEvent, writeStatus } from './acting.ts';

/** The condition's type, and its reason while it is False. */
export const KINDS_SERVED = 'KindsServed';
export const KIND_NOT_SERVED = 'KindNotServed';

export function missingText(missing: readonly string[]): string {
  return `This cluster does not serve ${missing.join(', ')}: install the kinds and the controller of volume snapshots of your storage.`;
}

export async function waitForKinds(acting: Acting, missing: readonly string[]): Promise<Outcome> {
  const message = missingText(missing);
  const { conditions = [] } = acting.facts.snapshot.status ?? {};
  if (findCondition(conditions, KINDS_SERVED)?.message !== message) {
    await writeStatus(acting, condition(acting, { status: 'False', message }));
    recordEvent(acting, 'Warning', { reason: KIND_NOT_SERVED, message });
  }
  return requeueAfter(LOOK_MS, message);
}

/** The condition when the snapshot begins; empty if it did not have to wait. */
export function whenKindsServed(acting: Acting): Pick<ApplicationSnapshotStatus, 'conditions'> {
  const { conditions = [] } = acting.facts.snapshot.status ?? {};
  if (findCondition(conditions, KINDS_SERVED) === undefined) return {};
  return condition(acting, { status: 'True', message: 'The kinds that it needs are served.' });
}

function condition(
  { context, facts }: Acting,
  reported: { readonly status: 'True' | 'False'; readonly message: string },
): Required<Pick<ApplicationSnapshotStatus, 'conditions'>> {
  const { metadata, status } = facts.snapshot;
  const reason = reported.status === 'True' ? 'Served' : KIND_NOT_SERVED;
  const observedGeneration = metadata?.generation ?? 0;
  const next = { type: KINDS_SERVED, ...reported, reason, observedGeneration };
  const nowMs = context.platform.clock.nowMs();
  return { conditions: [...setCondition(status?.conditions ?? [], next, nowMs)] };
}
