/** Finds a workload that a restore has stopped and that another client has scaled up (SNAP-V9). */
import type { KubeClient } from '../../../kube/client.ts';
import { statusOf } from './hook-steps.ts';
import type { ScaledWorkload, SnapshotRestore } from './kinds.ts';
import { readWorkload, wantedOf } from './workload.ts';

export interface Restarted {
  readonly workload: ScaledWorkload;
  readonly replicas: number;
}

/** null: all workloads that the restore stopped are still at 0. */
export async function readRestarted(
  client: KubeClient,
  restore: SnapshotRestore,
): Promise<Restarted | null> {
  const { namespace = '' } = restore.metadata ?? {};
  for (const workload of stoppedIn(restore)) {
    const found = await readWorkload(client, namespace, workload);
    const replicas = found === null ? 0 : wantedOf(found);
    if (replicas > 0) return { workload, replicas };
  }
  return null;
}

/**
 * The workloads that a successful hook has stopped. Those with `scaleBack: false` are left out: the user sets their
 * replicas.
 */
function stoppedIn(restore: SnapshotRestore): readonly ScaledWorkload[] {
  const actions = (restore.spec.preRestore ?? []).flatMap(({ name, scale }) =>
    statusOf(restore, name)?.outcome === 'Succeeded' ? (scale ?? []) : [],
  );
  return (restore.status?.scaled ?? []).filter(({ kind, name }) =>
    actions.some((each) => each.kind === kind && each.name === name && each.scaleBack !== false),
  );
}
