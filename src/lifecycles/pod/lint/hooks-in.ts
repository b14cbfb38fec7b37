/** Every lifecycle hook in a manifest, wherever its pod stands. Pure; reads what nobody has validated. */
import type { DocumentPath } from '../../../model/located-document.ts';

/** One `lifecycle.postStart` or `preStop`, with what is around it. */
export interface LintedHook {
  readonly point: 'postStart' | 'preStop';
  /** Of the hook in its document. */
  readonly path: DocumentPath;
  readonly hook: Fields;
  readonly container: Fields;
  readonly containerPath: DocumentPath;
  readonly podSpec: Fields;
  readonly podAnnotations: Fields;
  /** "Deployment web, container app, preStop" */
  readonly where: string;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Where each kind keeps its pod. */
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

/** Lists within lists end here. */
const MAX_DEPTH = 4;

export function hooksIn(
  value: unknown,
  path: DocumentPath = [],
  depth: number = 0,
): readonly LintedHook[] {
  const object = fields(value);
  const kind = text(object['kind']);
  if (kind.endsWith('List') && depth < MAX_DEPTH) {
    return list(object['items']).flatMap((item, index) =>
      hooksIn(item, [...path, 'items', index], depth + 1),
    );
  }
  const podAt = POD_AT[kind];
  if (podAt === undefined) return [];
  const pod = podAt.reduce<Fields>((found, part) => fields(found[part]), object);
  const name = `${kind} ${text(fields(object['metadata'])['name'])}`;
  return hooksOfPod(pod, [...path, ...podAt], name);
}

function hooksOfPod(pod: Fields, path: DocumentPath, name: string): readonly LintedHook[] {
  const podSpec = fields(pod['spec']);
  const podAnnotations = fields(fields(pod['metadata'])['annotations']);
  return ['initContainers', 'containers'].flatMap((field) =>
    list(podSpec[field]).flatMap((item, index) => {
      const container = fields(item);
      const containerPath = [...path, 'spec', field, index];
      const lifecycle = fields(container['lifecycle']);
      return (['postStart', 'preStop'] as const)
        .filter((point) => lifecycle[point] !== undefined)
        .map((point) => ({
          point,
          path: [...containerPath, 'lifecycle', point],
          hook: fields(lifecycle[point]),
          container,
          containerPath,
          podSpec,
          podAnnotations,
          where: `${name}, container ${text(container['name'])}, ${point}`,
        }));
    }),
  );
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
