/** What `lifehook install` prints: everything that a cluster needs to run the controllers. Pure. */
import { groupDefinitions } from '../../cluster/snapshots/crds/group-definitions.ts';
import { singleDefinitions } from '../../cluster/snapshots/crds/single-definitions.ts';
import type { KubeObject } from '../../kube/object.ts';
import { lifehookDefinitions } from './all-definitions.ts';
import { controllerDeployment, webhookService } from './controller-deployment.ts';
import { type InstallOptions, LABELS, NAME } from './install-options.ts';
import { roles } from './roles.ts';

/** In the order in which they can be created. */
export function installObjects(options: InstallOptions): readonly KubeObject[] {
  const { namespace, cel, snapshotKinds, namespaced } = options;
  const shared: KubeObject[] = namespaced
    ? []
    : [
        {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: namespace, labels: { ...LABELS } },
        },
      ];
  return [
    ...shared,
    ...lifehookDefinitions({ cel }),
    ...(snapshotKinds ? [...singleDefinitions, ...groupDefinitions].map(withKind) : []),
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: NAME, namespace, labels: { ...LABELS } },
    },
    ...roles(options),
    ...(namespaced ? [] : [webhookService(options)]),
    controllerDeployment(options),
  ];
}

function withKind(definition: KubeObject): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    ...definition,
  };
}
