/** The checks of `lifehook doctor` for snapshots. */
import type { Permission } from '../../../controller/ask-permissions.ts';
import { GROUP } from '../../../model/api-version.ts';
import type { Judge } from '../../doctor/facts.ts';
import type { DoctorWorld } from '../../lifecycle-parts.ts';
import { snapshotClasses, snapshotKinds } from './check-classes.ts';
import { frozenNow, templates } from './check-objects.ts';
import { type ClassFacts, gatherClasses } from './gather-classes.ts';
import { gatherObjects, type ObjectFacts } from './gather-objects.ts';

const READ = ['get', 'list', 'watch'];

export const userPermissions: readonly Permission[] = [
  { group: GROUP, resource: 'applicationsnapshots', verbs: [...READ, 'create'] },
  { group: GROUP, resource: 'executionhooks', verbs: [...READ, 'create', 'patch'] },
  { group: GROUP, resource: 'executionhooktemplates', verbs: [...READ, 'create'] },
  // The author of a hook needs the same permissions as the hook's actions.
  { group: '', resource: 'pods/exec', verbs: ['create'] },
];

export async function examine(world: DoctorWorld): Promise<Judge> {
  const { client, capabilities } = world;
  const [classes, objects] = await Promise.all([
    gatherClasses(client, capabilities),
    gatherObjects(client, world),
  ]);
  return judgeSnapshots(classes, objects);
}

export function judgeSnapshots(classes: ClassFacts, objects: ObjectFacts): Judge {
  return ({ capabilities, clock }) => ({
    kinds: [...snapshotKinds(capabilities), ...snapshotClasses(classes, capabilities)],
    objects: [...templates(objects), ...frozenNow(objects, clock)],
  });
}
