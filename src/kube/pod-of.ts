/** Finds the pod or the pod template in an object of any kind. Pure; reads unvalidated objects. */
import type { DocumentPath } from '../model/located-document.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A pod, or a pod template: with metadata and spec. */
export interface FoundPod {
  readonly pod: Fields;
  /** The path in the object. */
  readonly path: DocumentPath;
}

const POD_AT: Readonly<Record<string, DocumentPath>> = {
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
  const path = POD_AT[text(object['kind'])];
  if (path === undefined) return null;
  return { pod: path.reduce<Fields>((found, part) => fields(found[part]), object), path };
}

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** null: absent, or not a number. */
export function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
