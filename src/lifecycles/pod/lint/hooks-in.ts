/** Finds every lifecycle hook of an object that contains a pod. Pure. The object need not be validated. */
import { fieldsAt, listAt, textAt } from '../../../kube/fields.ts';
import type { DocumentPath } from '../../../model/located-document.ts';
import { type Fields, podOf } from '../../../kube/paths.ts';
import type { Problem } from '../../../model/problem.ts';

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
  /** The place of the hook in words: "Deployment web, container app, preStop". */
  readonly where: string;
}

/** The hooks in one object. Call it for each object of a list. */
export function hooksIn(value: unknown): readonly LintedHook[] {
  const object = fieldsAt(value);
  const found = podOf(object);
  if (found === null) return [];
  const name = `${textAt(object['kind'])} ${textAt(fieldsAt(object['metadata'])['name'])}`;
  return hooksOfPod(found.pod, found.path, name);
}

function hooksOfPod(pod: Fields, path: DocumentPath, name: string): readonly LintedHook[] {
  const podSpec = fieldsAt(pod['spec']);
  const podAnnotations = fieldsAt(fieldsAt(pod['metadata'])['annotations']);
  return ['initContainers', 'containers'].flatMap((field) =>
    listAt(podSpec[field]).flatMap((item, index) => {
      const container = fieldsAt(item);
      const containerPath = [...path, 'spec', field, index];
      const lifecycle = withoutNulls(fieldsAt(container['lifecycle']));
      return (['postStart', 'preStop'] as const)
        .filter((point) => lifecycle[point] !== undefined)
        .map((point) => ({
          point,
          path: [...containerPath, 'lifecycle', point],
          hook: withoutNulls(fieldsAt(lifecycle[point])),
          container,
          containerPath,
          podSpec,
          podAnnotations,
          where: `${name}, container ${textAt(container['name'])}, ${point}`,
        }));
    }),
  );
}

/** The fields without nulls, which a server treats as absent. */
function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** The result of a rule: a problem, and its path in the document. */
export type Finding = Omit<Problem, 'at' | 'path'> & { readonly path: DocumentPath };

/** The input of the rules besides the manifest. */
export interface LintSettings {
  /**
   * Minor version of the oldest server that must accept the manifest, such as 28 for 1.28; null: any supported version.
   */
  readonly serverMinor: number | null;
  /** Seconds that the programs take to exit after TERM; null: unknown. */
  readonly drainSeconds: number | null;
}

/** Annotation of a pod: the seconds that its program takes to exit after TERM. It overrides `drainSeconds`. */
export const DRAIN_ANNOTATION = 'lifehook.dev/drain-seconds';

/** Seconds; the default of Kubernetes for the termination grace period. */
export const DEFAULT_GRACE_SECONDS = 30;
