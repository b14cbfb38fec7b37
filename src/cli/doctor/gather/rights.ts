/** What a user of Lifehook has to be allowed, and what of it the user of the kubeconfig may not do. */
import { missingPermissions } from '../../../controller/ask-permissions.ts';
import type { Permission } from '../../../controller/permission.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { ask } from '../asked.ts';
import type { ReachedCluster } from '../facts.ts';

const OURS = 'lifehook.dev';
const READ = ['get', 'list', 'watch'];

/** Who asks for snapshots and rollouts needs these, besides what the hooks themselves do. */
export const USER_PERMISSIONS: readonly Permission[] = [
  { group: OURS, resource: 'applicationsnapshots', verbs: [...READ, 'create'] },
  { group: OURS, resource: 'executionhooks', verbs: [...READ, 'create', 'patch'] },
  { group: OURS, resource: 'executionhooktemplates', verbs: [...READ, 'create'] },
  { group: OURS, resource: 'deploymentlifecycles', verbs: [...READ, 'create'] },
  { group: OURS, resource: 'hookruns', verbs: READ },
  // The author of a hook has to be allowed what it does.
  { group: '', resource: 'pods/exec', verbs: ['create'] },
  { group: '', resource: 'pods', verbs: ['create'] },
  { group: 'apps', resource: 'deployments', verbs: ['get', 'patch'] },
];

export interface RightsWorld {
  readonly client: KubeClient;
  readonly namespace: string;
}

export function gatherUserRights({
  client,
  namespace,
}: RightsWorld): Promise<ReachedCluster['missing']> {
  const group = 'authorization.k8s.io';
  return ask({ verb: 'create', group, resource: 'selfsubjectaccessreviews' }, () =>
    missingPermissions(client, { namespace, permissions: USER_PERMISSIONS }),
  );
}
