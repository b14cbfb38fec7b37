/** The metrics, the traces and the recorded events of snapshots, from the caches of this process. */
import { keyText } from '../../controller/object-key.ts';
import { applicationSnapshots, executionHooks } from '../../lifecycles/snapshot/kinds.ts';
import { recordedEvents } from '../../lifecycles/snapshot/recorded-events.ts';
import { snapshotRestores } from '../../lifecycles/snapshot/restore/kinds.ts';
import { snapshotSchedules } from '../../lifecycles/snapshot/schedule/kinds.ts';
import { SchedulesNow } from '../../lifecycles/snapshot/schedule/schedules-now.ts';
import { makeSnapshotMetrics } from '../../observe/snapshot/snapshot-metrics.ts';
import { snapshotTraces, type TracedObjects } from '../../observe/snapshot/snapshot-traces.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { CacheOf, MetricsOf, RecordedEventsOf, TracesOf } from '../lifecycle-parts.ts';
import { FrozenCounter } from './frozen-counter.ts';

export const metricsOf: MetricsOf = (cacheOf) => {
  const frozen = new FrozenCounter(nodePlatform.clock);
  const figures = new SchedulesNow(nodePlatform.clock);
  const { observe, expose } = makeSnapshotMetrics({
    frozenNow: () => frozen.count(cacheOf(executionHooks).list()),
    schedules: () => figures.of(cacheOf(snapshotSchedules).list()),
  });
  return {
    observe: (event) => {
      observe(event);
      frozen.observe(event);
    },
    observeController: frozen.observeController,
    expose,
  };
};

export const recordedEventsOf: RecordedEventsOf = (cacheOf, sinceMs) =>
  recordedEvents({
    hooks: cacheOf(executionHooks).list(),
    snapshots: cacheOf(applicationSnapshots).list(),
    restores: cacheOf(snapshotRestores).list(),
    schedules: cacheOf(snapshotSchedules).list(),
    sinceMs,
    nowMs: nodePlatform.clock.nowMs(),
  });

export const tracesOf: TracesOf = (cacheOf, add) =>
  snapshotTraces({ objects: objectsIn(cacheOf), add });

function objectsIn(cacheOf: CacheOf): TracedObjects {
  return {
    hook: (namespace, name) => {
      const found = cacheOf(executionHooks).get(keyText({ namespace, name }));
      const { uid, ownerReferences = [] } = found?.metadata ?? {};
      if (uid === undefined) return null;
      const owner = ownerReferences.find(({ kind }) => kind === applicationSnapshots.kind);
      return { uid, snapshotUid: owner?.uid ?? null };
    },
    snapshot: (namespace, name) => {
      const found = cacheOf(applicationSnapshots).get(keyText({ namespace, name }));
      const { metadata = {}, status = {} } = found ?? {};
      const { uid, creationTimestamp = '' } = metadata;
      if (uid === undefined) return null;
      return { uid, startedMs: Date.parse(status.startedAt ?? creationTimestamp) };
    },
  };
}
