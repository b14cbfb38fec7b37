/** Reports that the cut of a snapshot was seen: an Event, a measured time, and a warning if clocks differ. */
import { microTimeText } from '../../../controller/kube-time.ts';
import type { SnapshotVolume } from '../kinds.ts';
import { type Acting, recordEvent } from './acting.ts';

/** Milliseconds by which the clocks of storage and process may differ without a warning (SNAP-CASE32). */
const SKEW_MS = 300_000;

export function reportCut(
  acting: Acting,
  volumes: readonly SnapshotVolume[],
  observedAt: string,
): void {
  const { context, facts } = acting;
  const { metadata = {}, spec, status = {} } = facts.snapshot;
  const { namespace = '', name: snapshot = '' } = metadata;
  const observedMs = Date.parse(observedAt);
  const requestedMs = Date.parse(status.cutRequestedAt ?? observedAt);
  const cutMs = Math.max(0, observedMs - requestedMs);
  context.observe({ type: 'CutObserved', namespace, snapshot, cutMs });
  const message =
    spec.window === undefined
      ? `The volumes are cut, ${cutMs} ms after their snapshots were requested.`
      : `The window is closed, ${cutMs} ms after it opened for the snapshots of other clients.`;
  recordEvent(acting, 'Normal', { reason: 'CutObserved', message });
  reportSkew(acting, volumes, { requestedMs, observedMs });
}

interface CutTimes {
  readonly requestedMs: number;
  readonly observedMs: number;
}

function reportSkew(
  acting: Acting,
  volumes: readonly SnapshotVolume[],
  { requestedMs, observedMs }: CutTimes,
): void {
  const skewed = volumes.find(({ creationTime = '' }) => {
    const ms = Date.parse(creationTime);
    return ms < requestedMs - SKEW_MS || ms > observedMs + SKEW_MS;
  });
  if (skewed === undefined) return;
  const isEarly = Date.parse(skewed.creationTime ?? '') < requestedMs;
  const known = isEarly
    ? `its snapshot was requested at ${microTimeText(requestedMs)}`
    : `the cut was observed at ${microTimeText(observedMs)}`;
  const skew = `The clocks of the storage and of the controller differ. By the storage, claim ${skewed.claimName} was cut at ${skewed.creationTime ?? ''}; by the controller, ${known}. The order of the cut and the thaw is known without these times.`;
  recordEvent(acting, 'Warning', { reason: 'ClockSkew', message: skew });
}
