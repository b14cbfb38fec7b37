/** Reads the classes of volume snapshots. */
import type { Capabilities } from '../../../kube/capabilities.ts';
import type { KubeClient } from '../../../kube/client.ts';
import {
  GROUP_VERSIONS,
  groupKindsOf,
  classes as singleClasses,
  type SnapshotClass,
} from '../../../kube/snapshots.ts';
import { ask, type Asked } from '../../doctor/asked.ts';

export interface ClassFacts {
  readonly snapshotClasses: Asked<readonly SnapshotClass[]>;
  /** The classes of group snapshots. Absent: the server serves no known version of the kind. */
  readonly groupClasses?: Asked<readonly SnapshotClass[]>;
}

export async function gatherClasses(
  client: KubeClient,
  { volumeSnapshot, volumeGroupSnapshot }: Capabilities,
): Promise<ClassFacts> {
  const single = { group: 'snapshot.storage.k8s.io', resource: 'volumesnapshotclasses' };
  const version = GROUP_VERSIONS.find((one) => one === volumeGroupSnapshot);
  const absent: Asked<readonly SnapshotClass[]> = { kind: 'absent' };
  const [snapshotClasses, groupClasses] = await Promise.all([
    volumeSnapshot === null ? absent : listClasses(client, single, singleClasses),
    version === undefined
      ? undefined
      : listClasses(
          client,
          { group: 'groupsnapshot.storage.k8s.io', resource: 'volumegroupsnapshotclasses' },
          groupKindsOf(version).classes,
        ),
  ]);
  return groupClasses === undefined ? { snapshotClasses } : { snapshotClasses, groupClasses };
}

function listClasses(
  client: KubeClient,
  right: { readonly group: string; readonly resource: string },
  resource: typeof singleClasses,
): Promise<Asked<readonly SnapshotClass[]>> {
  return ask({ ...right, verb: 'list' }, async () => (await client.list(resource)).items);
}
