/** What `lifehook install` prints: everything that a cluster needs to run the controllers. Pure. */
import { groupDefinitions, singleDefinitions } from '../../../packages/local-cluster/src/index.ts';
import type { KubeObject } from '../../kube/object.ts';
import { allowedHosts } from '../../lifecycles/snapshot/hook/hook-hosts.ts';
import { lifehookDefinitions } from './all-definitions.ts';
import { controllerDeployment, webhookService } from './controller-deployment.ts';
import { type InstallOptions, LABELS, NAME } from './install-options.ts';
import { networkPolicy } from './network-policy.ts';
import { roles, userRoles } from './roles.ts';

/** In the order in which they can be created. Throws LHK107 for an entry of `hookHosts` that is no host. */
export function installObjects(options: InstallOptions): readonly KubeObject[] {
  const { namespace, snapshotKinds, namespaced, hookHosts = [] } = options;
  allowedHosts(hookHosts);
  const shared: KubeObject[] = namespaced
    ? []
    : [
        {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: namespace, labels: { ...LABELS, ...RESTRICTED } },
        },
      ];
  return [
    ...shared,
    ...lifehookDefinitions(),
    ...(snapshotKinds ? [...singleDefinitions, ...groupDefinitions].map(withKind) : []),
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: NAME, namespace, labels: { ...LABELS } },
    },
    ...roles(options),
    ...(namespaced ? [] : userRoles()),
    networkPolicy(options),
    ...(namespaced ? [] : [webhookService(options)]),
    controllerDeployment(options),
  ];
}

/** Servers refuse pods there that ask for more. */
const RESTRICTED = { 'pod-security.kubernetes.io/enforce': 'restricted' };

function withKind(definition: KubeObject): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    ...definition,
  };
}
