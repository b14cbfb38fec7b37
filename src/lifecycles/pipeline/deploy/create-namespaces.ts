/** The namespaces of helm releases that ask for theirs to be created; like helm, nothing ever deletes them. */
import { createOrGet } from '../../../kube/create-or-get.ts';
import { namespaces } from '../../../kube/resources.ts';
import type { ModuleConfig } from '../config/model.ts';
import { expandRelease, namespaceOf } from '../render/read-helm.ts';
import type { KubeTarget, PhaseResult, PipelineSession } from '../session.ts';

export async function createNamespaces(
  { deploy }: ModuleConfig,
  { session, target }: { readonly session: PipelineSession; readonly target: KubeTarget },
): Promise<PhaseResult<null>> {
  for (const release of deploy.helm?.releases ?? []) {
    if (!release.createNamespace) continue;
    const expanded = await expandRelease(release, session);
    if (expanded.outcome !== 'Succeeded') return expanded;
    const name = namespaceOf(expanded.value, session);
    if (name !== null) await createOrGet(target.client, namespaces, { metadata: { name } });
  }
  return { outcome: 'Succeeded', value: null };
}
