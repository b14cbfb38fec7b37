/** Where each kind has its pod. Pure; reads unvalidated objects. */
import type { DocumentPath } from '../model/located-document.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A pod, or the template of pods: with metadata and spec. */
export interface FoundPod {
  readonly pod: Fields;
  /** In the object. */
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

/** null: it is no object with a pod. */
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

/** null: there is none, or it is not a number. */
export function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
