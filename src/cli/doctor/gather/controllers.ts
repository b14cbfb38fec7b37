/** The controllers of the cluster: their Leases, their Deployments, and what their service accounts may do. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { accessReviewPermission } from '../../../controller/admission/ask-access.ts';
import { missingPermissions, serviceAccountSubject } from '../../../controller/ask-permissions.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { deployments } from '../../../kube/resources.ts';
import { allPermissions } from '../../install/all-permissions.ts';
import { LABELS, NAME } from '../../install/install-options.ts';
import { findRenewed, readLeases } from '../../rollout/controller-leases.ts';
import { ask } from '../asked.ts';
import type { ControllerFacts } from '../facts.ts';

const REVIEWS = { group: 'authorization.k8s.io', resource: 'subjectaccessreviews' };

export async function gatherControllers(client: KubeClient): Promise<ControllerFacts> {
  const [leases, found] = await Promise.all([gatherLeases(client), gatherDeployments(client)]);
  const missing = await Promise.all(
    (found.kind === 'known' ? found.value : []).map((one) => missingOf(client, one)),
  );
  return { ...leases, deployments: found, missing };
}

async function gatherLeases(
  client: KubeClient,
): Promise<Pick<ControllerFacts, 'leases' | 'renewed'>> {
  const right = { verb: 'list', group: 'coordination.k8s.io', resource: 'leases' };
  const leases = await ask(right, () => readLeases(client));
  if (leases.kind !== 'known') return { leases, renewed: null };
  const renewed = await ask(right, () => findRenewed(client, leases.value));
  return { leases, renewed: renewed.kind === 'known' ? renewed.value : null };
}

function gatherDeployments(client: KubeClient): Promise<ControllerFacts['deployments']> {
  const right = { verb: 'list', group: 'apps', resource: 'deployments' };
  const labelSelector = Object.entries(LABELS)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  return ask(right, async () => {
    const { items } = await client.list(deployments, { labelSelector });
    return items.filter(({ metadata }) => metadata?.name === NAME);
  });
}

async function missingOf(
  client: KubeClient,
  { metadata, spec }: Deployment,
): Promise<ControllerFacts['missing'][number]> {
  const { namespace = '' } = metadata ?? {};
  const { serviceAccountName = 'default', containers = [] } = spec?.template.spec ?? {};
  const args = containers.flatMap((container) => container.args ?? []);
  const namespaced = args.includes('--namespaced');
  const timeline = args.some((argument) => argument.startsWith('--timeline-address'));
  const needed = {
    ...(namespaced ? { namespace } : {}),
    permissions: [...allPermissions({ timeline }), ...(namespaced ? [] : [accessReviewPermission])],
    subject: serviceAccountSubject(namespace, serviceAccountName),
  };
  const permissions = await ask({ verb: 'create', ...REVIEWS }, () =>
    missingPermissions(client, needed),
  );
  return { account: `${namespace}/${serviceAccountName}`, permissions };
}
