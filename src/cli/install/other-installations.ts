/** Refuses to delete the kinds while another installation of the cluster uses them. */
import type { KubeClient } from '../../kube/client.ts';
import { deployments } from '../../kube/resources.ts';
import { LifehookError } from '../../model/problem.ts';
import { LABELS, NAME } from './install-options.ts';
import { listOrNone, nameOf } from './standing.ts';

interface Installation {
  readonly namespace: string;
  /** True: the kinds stay, so other installations do not matter. */
  readonly namespaced?: boolean;
}

/**
 * Rejects with LHK041 if controllers are installed in a namespace other than this one. An uninstallation deletes the
 * kinds: all objects of the other installation would be deleted, and its controllers would create the webhooks again.
 */
export async function refuseIfShared(
  client: KubeClient,
  { namespace, namespaced = false }: Installation,
): Promise<void> {
  if (namespaced) return;
  const labelSelector = Object.entries(LABELS)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const labelled = await listOrNone(client, deployments, { labelSelector });
  const others = labelled.filter(
    ({ metadata }) => metadata?.name === NAME && metadata.namespace !== namespace,
  );
  const [first] = others;
  if (first === undefined) return;
  throw new LifehookError({
    code: 'LHK041',
    message: `Another installation of Lifehook uses the kinds: Deployment ${others.map(nameOf).join(', ')}.`,
    next: `uninstall that installation first, with --namespace ${first.metadata?.namespace ?? ''}, and with --namespaced if it was installed so. To remove one namespaced installation, and to keep the kinds, add --namespaced.`,
  });
}
