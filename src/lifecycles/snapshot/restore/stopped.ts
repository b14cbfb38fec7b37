/** Decides what happens to the workloads that a restore has stopped, and the messages about them (SNAP-V9). */
import { isTerminating } from '../../../controller/finalizers.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { persistentVolumeClaims } from '../../../kube/resources.ts';
import { countText } from '../../../model/count-text.ts';
import { stoppedBy } from './decide-end.ts';
import type { ScaledWorkload, SnapshotRestore } from './kinds.ts';
import { hasSuccessor } from './successor.ts';
import { readWorkload, usesClaim, wantedOf, type Workload } from './workload.ts';

export interface AfterFailure {
  readonly workload: ScaledWorkload;
  /** Whether the workload stays at 0, since its claims may be missing or incomplete. */
  readonly isKept: boolean;
  readonly text: string;
}

/** Judges each workload that the restore has stopped and that is still at 0. */
export async function judgeStopped(
  client: KubeClient,
  restore: SnapshotRestore,
): Promise<readonly AfterFailure[]> {
  const judged: AfterFailure[] = [];
  for (const workload of stoppedBy(restore)) {
    const found = await readWorkload(client, restore.metadata?.namespace ?? '', workload);
    if (found !== null && isStillStopped(found, workload)) {
      const isShared = await hasSuccessor(client, restore, workload);
      judged.push(afterFailure(restore, workload, { found, isShared }));
    }
  }
  return judged;
}

export function isStillStopped(found: Workload, workload: ScaledWorkload): boolean {
  return found.metadata?.uid === workload.uid && wantedOf(found) === 0;
}

function afterFailure(
  restore: SnapshotRestore,
  workload: ScaledWorkload,
  { found, isShared }: { readonly found: Workload; readonly isShared: boolean },
): AfterFailure {
  const used = (restore.status?.claims ?? []).filter(({ claimName }) =>
    usesClaim(found, claimName),
  );
  const claim = used.find(({ claimUID }) => claimUID === undefined) ?? used[0];
  const { kind, name, replicas } = workload;
  if (claim === undefined) {
    const next = isShared
      ? '. Another restore has stopped it too, and sets its replicas.'
      : `, and is scaled back to ${countText(replicas, 'replica')}.`;
    const text = `${kind} ${name} uses no claim of this restore${next}`;
    return { workload, isKept: false, text };
  }
  const next =
    claim.claimUID === undefined
      ? 'which this restore did not create: check that it exists, or restore it. Then'
      : 'which this restore created and did not complete. To start the workload with this data';
  const text = `${staysText(workload)} it uses claim ${claim.claimName}, ${next}: ${scaleCommand(restore, workload)}`;
  return { workload, isKept: true, text };
}

function staysText({ kind, name }: ScaledWorkload): string {
  return `${kind} ${name} stays at 0 replicas:`;
}

function scaleCommand(
  { metadata }: SnapshotRestore,
  { kind, name, replicas }: ScaledWorkload,
): string {
  return `kubectl -n ${metadata?.namespace ?? ''} scale ${kind.toLowerCase()}/${name} --replicas=${replicas}`;
}

/**
 * The reason why the workload would not find its data (a StatefulSet would create an empty claim); null: it finds its
 * data.
 */
export async function whyNotStarted(
  client: KubeClient,
  restore: SnapshotRestore,
  of: { readonly workload: ScaledWorkload; readonly found: Workload },
): Promise<string | null> {
  const { namespace = '' } = restore.metadata ?? {};
  for (const { claimName: name } of restore.status?.claims ?? []) {
    if (!usesClaim(of.found, name)) continue;
    const claim = await getOrNull(client, persistentVolumeClaims, { namespace, name });
    if (claim !== null && !isTerminating(claim)) continue;
    return `${staysText(of.workload)} its claim ${name} does not exist. Restore it; then: ${scaleCommand(restore, of.workload)}`;
  }
  return null;
}
