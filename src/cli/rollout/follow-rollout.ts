/** A rollout as it goes on, from three watches: its Deployment, its lifecycle and its HookRuns. */
import type { KubeObject, Resource } from '../../kube/object.ts';
import { listWatch, type ListWatchOptions } from '../../kube/list-watch.ts';
import { deployments } from '../../kube/resources.ts';
import { deploymentLifecycles, type HookRun, hookRuns } from '../../lifecycles/rollout/kinds.ts';
import { LifehookError } from '../../model/problem.ts';
import type { CliCluster } from '../kube-connection.ts';
import { type RolloutFacts, runsOf } from './read-rollout.ts';
import { type RolloutView, viewOf } from './rollout-view.ts';

export interface FollowOptions {
  /** What there was when it began. */
  readonly facts: RolloutFacts;
  /** Told of each view; true ends it. */
  readonly look: (view: RolloutView) => boolean;
  readonly signal: AbortSignal;
}

/** Resolves with the last view, null: the signal came first. Rejects with LHR404 when it is deleted. */
export async function followRollout(
  cluster: CliCluster,
  { facts, look, signal }: FollowOptions,
): Promise<RolloutView | null> {
  const { namespace } = cluster;
  const stopping = new AbortController();
  const now = { deployment: facts.deployment, lifecycle: facts.lifecycle };
  const runs = new Map<string, HookRun>();
  const synced = new Set<string>();
  let last: RolloutView | null = null;
  const changed = (): void => {
    if (synced.size < RESOURCES || last !== null) return;
    const view = viewOf({ ...now, runs: [...runs.values()] });
    if (!look(view)) return;
    last = view;
    stopping.abort();
  };
  const follow = async <T extends KubeObject>(
    resource: Resource<T>,
    scope: Omit<ListWatchOptions, 'signal' | 'namespace'>,
    see: (object: T, isGone: boolean) => void,
  ): Promise<void> => {
    const options = { namespace, ...scope, signal: AbortSignal.any([signal, stopping.signal]) };
    for await (const event of listWatch(cluster.connection, resource, options)) {
      if (event.type === 'Upsert') see(event.object, false);
      if (event.type === 'Delete') see(event.object, true);
      if (event.type === 'Synced') synced.add(resource.kind);
      changed();
    }
  };
  const required = (one: KubeObject, isGone: boolean): void => {
    if (isGone) throw deleted(one);
  };
  const named = ({ metadata }: KubeObject): { fieldSelector: string } => ({
    fieldSelector: `metadata.name=${metadata?.name ?? ''}`,
  });
  const following = [
    follow(deployments, named(now.deployment), (one, isGone) => {
      required(one, isGone);
      now.deployment = one;
    }),
    follow(deploymentLifecycles, named(now.lifecycle), (one, isGone) => {
      required(one, isGone);
      now.lifecycle = one;
    }),
    follow(hookRuns, { labelSelector: runsOf(now.deployment) }, (run, isGone) => {
      const uid = run.metadata?.uid ?? '';
      if (isGone) runs.delete(uid);
      else runs.set(uid, run);
    }),
  ];
  try {
    await Promise.all(following);
    return last;
  } finally {
    stopping.abort();
    await Promise.allSettled(following);
  }
}

const RESOURCES = 3;

function deleted({ kind = 'object', metadata }: KubeObject): LifehookError {
  return new LifehookError({
    code: 'LHR404',
    severity: 'error',
    message: `The ${kind} "${metadata?.name ?? ''}" was deleted before the rollout had ended.`,
    next: 'Nothing goes on without it. Apply it again, and watch again.',
  });
}
