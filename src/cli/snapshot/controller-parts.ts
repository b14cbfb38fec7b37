/** The controllers of the snapshot lifecycle in a cluster, their webhook, and the subscribers of their events. */
import { judgeAuthor } from '../../controller/admission/author.ts';
import type { ControllerEvent } from '../../controller/controller-event.ts';
import { keyText } from '../../controller/object-key.ts';
import { allowedHosts } from '../../handlers/allowed-hosts.ts';
import type { KubeConnection } from '../../kube/client.ts';
import { execInPod, openExec } from '../../kube/exec.ts';
import { authorNeeds } from '../../lifecycles/snapshot/admission/author-needs.ts';
import { review } from '../../lifecycles/snapshot/admission/review.ts';
import {
  AUTHOR_PATH,
  GUARD_PATH,
  WEBHOOK_PATH,
  webhookConfiguration,
} from '../../lifecycles/snapshot/admission/webhook-configuration.ts';
import type { ContainerAccess } from '../../lifecycles/snapshot/context.ts';
import { snapshotControllers } from '../../lifecycles/snapshot/controllers.ts';
import { frozenTargets } from '../../lifecycles/snapshot/frozen-targets.ts';
import { guardJudge } from '../../lifecycles/snapshot/guard/guard-world.ts';
import { overdueTargets } from '../../lifecycles/snapshot/hook/overdue.ts';
import {
  executionHooks,
  applicationSnapshots,
  type ExecutionHook,
  type ExecutionHookStatus,
} from '../../lifecycles/snapshot/kinds.ts';
import { KINDS_CONFIGURATION } from '../../lifecycles/snapshot/names.ts';
import { resolveRecipe } from '../../lifecycles/snapshot/recipes/all-recipes.ts';
import { recordedEvents } from '../../lifecycles/snapshot/recorded-events.ts';
import { snapshotRestores } from '../../lifecycles/snapshot/restore/kinds.ts';
import { snapshotSchedules } from '../../lifecycles/snapshot/schedule/kinds.ts';
import { SchedulesNow } from '../../lifecycles/snapshot/schedule/schedules-now.ts';
import { snapshotEnvelope } from '../../lifecycles/snapshot/snapshot-event.ts';
import type { ObservedEvent } from '../../observe/observed-event.ts';
import { makeSnapshotMetrics, type FrozenNow } from '../../observe/snapshot/snapshot-metrics.ts';
import { snapshotTraces, type TracedObjects } from '../../observe/snapshot/snapshot-traces.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { Clock } from '../../platform/platform.ts';
import type {
  ControllersOf,
  WebhookPart,
  CacheOf,
  MetricsOf,
  RecordedEventsOf,
  TracesOf,
} from '../lifecycle-parts.ts';

export const snapshotControllersOf: ControllersOf = (world) => {
  const { connection, connect, secretsOf, platform, observe, informers, scope } = world;
  const controllers = snapshotControllers({
    ...world,
    freezing: { ...accessOver(connection), secretsOf },
    thawing: { ...accessOver(connect()), secretsOf },
    isAllowedHost: allowedHosts(world.allowedHosts),
    observe: (event) => {
      observe(snapshotEnvelope(event, platform.clock.nowMs()));
    },
  });
  return { controllers, cache: informers.of(executionHooks, { scope }) };
};

function accessOver(connection: KubeConnection): Omit<ContainerAccess, 'secretsOf'> {
  return {
    exec: (request) => execInPod(connection, request),
    openExec: (request) => openExec(connection, request),
    network: nodePlatform.network,
  };
}

/** The webhooks of snapshots: the validation rules of the kinds, the permissions of the authors, and the guards. */
export const snapshotWebhook: WebhookPart = {
  name: KINDS_CONFIGURATION,
  validating: (to) => webhookConfiguration({ name: KINDS_CONFIGURATION, ...to }),
  routes: ({ client, ask, report, cacheOf }) => ({
    [WEBHOOK_PATH]: (request) => review(request, resolveRecipe),
    [AUTHOR_PATH]: async (request, signal) => {
      const needs = await authorNeeds(request, { client, resolveRecipe }, signal);
      return judgeAuthor({ request, needs, ask }, signal);
    },
    [GUARD_PATH]: guardJudge({
      client,
      platform: nodePlatform,
      cache: cacheOf?.(applicationSnapshots),
      observe: (event) => report?.(snapshotEnvelope(event, nodePlatform.clock.nowMs())),
    }),
  }),
};

/** The metrics, the traces and the recorded events of snapshots, from the caches of this process. */
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

/** Counts the targets that are frozen now, from the stored statuses and from statuses that the server rejected. */
export class FrozenCounter {
  /** Statuses by the UID of their hook; filled only in the process that leads. */
  readonly #kept = new Map<string, ExecutionHookStatus>();

  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
  }

  readonly observe = ({ lifecycle, detail }: ObservedEvent): void => {
    if (lifecycle !== 'snapshot' || detail.type !== 'StatusKept') return;
    if (detail.status === null) this.#kept.delete(detail.uid);
    else this.#kept.set(detail.uid, detail.status);
  };

  readonly observeController = ({ type }: ControllerEvent): void => {
    if (type === 'LeadershipLost') this.#kept.clear();
  };

  count(hooks: readonly ExecutionHook[]): FrozenNow {
    const nowMs = this.#clock.nowMs();
    const uids = new Set(hooks.map(({ metadata }) => metadata?.uid ?? ''));
    for (const uid of this.#kept.keys()) if (!uids.has(uid)) this.#kept.delete(uid);
    const known = hooks.map((hook) => {
      const kept = this.#kept.get(hook.metadata?.uid ?? '');
      return kept === undefined ? hook : { ...hook, status: kept };
    });
    const frozen = known.flatMap((hook) => frozenTargets(hook));
    return {
      frozen: frozen.length,
      unproven: frozen.filter(({ unproven }) => unproven).length,
      overdue: known.flatMap(({ status = {} }) => overdueTargets(status, nowMs)).length,
    };
  }
}
