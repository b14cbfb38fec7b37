/** The pod that a template asks for, as its owner's. Pure. */
import type { Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import type { OwnerReference } from '../../../../../src/kube/object.ts';

export interface PodOfTemplate {
  readonly namespace: string;
  /** "web-5d59d67564-": the server adds five characters. */
  readonly generateName: string;
  readonly owner: OwnerReference;
  readonly template: PodTemplateSpec;
}

export function podFromTemplate({ namespace, generateName, owner, template }: PodOfTemplate): Pod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const metadata: NonNullable<Pod['metadata']> = {
    namespace,
    generateName,
    ownerReferences: [owner],
  };
  if (labels !== undefined) metadata.labels = { ...labels };
  if (annotations !== undefined) metadata.annotations = { ...annotations };
  if (finalizers !== undefined) metadata.finalizers = [...finalizers];
  const pod: Pod = { metadata };
  if (template.spec !== undefined) pod.spec = template.spec;
  return pod;
}
