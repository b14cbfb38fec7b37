/** SNAP-G23: the roles of the controllers grant every write that a controller sends. */
import {
  restorePermissions,
  snapshotPermissions,
} from '../../../src/lifecycles/snapshot/permissions.ts';
import type { SimWrite } from '../controller/sim-client.ts';
import type { World } from '../world.ts';

const GRANTED = new Set(
  [...snapshotPermissions, ...restorePermissions].flatMap(({ group, resource, verbs }) => {
    const [plural = '', ...subresource] = resource.split('/');
    const name = [group === '' ? plural : `${plural}.${group}`, ...subresource].join('/');
    return verbs.map((verb) => `${verb} ${name}`);
  }),
);

/** Every installation grants its own Lease, in `src/cli/install/roles.ts`. */
const LEASES = 'leases.coordination.k8s.io';

export function judgeRights(world: World, { verb, resource }: SimWrite): void {
  if (resource === LEASES) return;
  const right =
    verb === 'status'
      ? `update ${resource}/status`
      : `${verb === 'replace' ? 'update' : verb} ${resource}`;
  if (!GRANTED.has(right)) world.violate('SNAP-G23', `a controller may not ${right}`);
}
