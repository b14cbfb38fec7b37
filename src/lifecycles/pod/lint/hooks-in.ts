/** Finds every lifecycle hook of an object that contains a pod. Pure; reads unvalidated objects. */
import type { DocumentPath } from '../../../model/located-document.ts';
import { type Fields, fields, list, podOf, text } from '../../../kube/pod-of.ts';

/** One `lifecycle.postStart` or `preStop`, with its context. */
export interface LintedHook {
  readonly point: 'postStart' | 'preStop';
  /** The path of the hook in its object. */
  readonly path: DocumentPath;
  readonly hook: Fields;
  readonly container: Fields;
  readonly containerPath: DocumentPath;
  readonly podSpec: Fields;
  readonly podAnnotations: Fields;
  /** Example: "Deployment web, container app, preStop". */
  readonly where: string;
}

/** Reads one object; call it for each object of a list. */
export function hooksIn(value: unknown): readonly LintedHook[] {
  const object = fields(value);
  const found = podOf(object);
  if (found === null) return [];
  const name = `${text(object['kind'])} ${text(fields(object['metadata'])['name'])}`;
  return hooksOfPod(found.pod, found.path, name);
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
