/** The labels of a run on everything that it renders. Pure. */
import type { KubeObject } from '../../../kube/object.ts';

/** Also of what is deployed: the contract's SKAFFOLD_RUN_ID is its value. */
export const RUN_ID_LABEL = 'skaffold.dev/run-id';
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
export const MANAGER = 'lifehook';

/**
 * On the objects themselves, not on templates in them: a new run whose manifests are the same starts no pod anew, and
 * a Job stays the same Job. Who already says by whom an object is managed keeps that word.
 */
export function putLabels(object: KubeObject, runId: string): KubeObject {
  const { metadata = {} } = object;
  const labels = { [MANAGED_BY_LABEL]: MANAGER, ...metadata.labels, [RUN_ID_LABEL]: runId };
  return { ...object, metadata: { ...metadata, labels } };
}
