/** Finds the pod or the pod template in an object of any kind. Pure; reads unvalidated objects. */
import type { DocumentPath } from '../model/located-document.ts';
import { fieldsAt, textAt } from './fields.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A pod, or a pod template: with metadata and spec. */
export interface FoundPod {
  readonly pod: Fields;
  /** The path in the object. */
  readonly path: DocumentPath;
}

const POD_AT: Readonly<Record<string, readonly string[]>> = {
  Pod: [],
  PodTemplate: ['template'],
  Deployment: ['spec', 'template'],
  ReplicaSet: ['spec', 'template'],
  ReplicationController: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  DaemonSet: ['spec', 'template'],
  Job: ['spec', 'template'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
};

/** null: the object contains no pod. */
export function podOf(object: Fields): FoundPod | null {
  const path = POD_AT[textAt(object, 'kind')];
  if (path === undefined) return null;
  return { pod: path.length === 0 ? object : fieldsAt(object, ...path), path };
}
