import type { Findings } from '../../../controller/definitions/schema-problems.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { DocumentPath } from '../../../model/located-document.ts';
import type { Problem } from '../../../model/problem.ts';
import type { LintObject } from './lint-object.ts';
import type { ObjectIndex } from './object-index.ts';

export interface ManifestSettings {
  /** Minor version of the oldest supported server; null: the newest known version. */
  readonly serverMinor: number | null;
  /** Time that programs need to exit after SIGTERM, seconds; null: not given. */
  readonly drainSeconds: number | null;
  /** The files contain all objects: unknown kinds and names that resolve to nothing are errors. */
  readonly strict: boolean;
}

/** A field of an object of ours that selects pods. */
export interface PodSelector {
  readonly holder: Readonly<Record<string, unknown>>;
  readonly path: DocumentPath;
  readonly field: string;
  /** The container of the selected pods; '': none is named. */
  readonly container: { readonly name: string; readonly path: DocumentPath };
}

/** The checks of manifests that a lifecycle adds. All are pure. */
export interface ManifestRules {
  /** Problems of the hooks in an object of a kind of Kubernetes. */
  readonly checkHooks?: (
    value: unknown,
    settings: ManifestSettings,
  ) => readonly (Omit<Problem, 'at' | 'path'> & { readonly path: DocumentPath })[];
  /** The rules of the webhook, by kind of Lifehook. */
  readonly validators?: Readonly<Record<string, (object: JsonObject) => Findings>>;
  /** Problems of an object of such a kind next to the other objects. */
  readonly checkTogether?: (object: LintObject, index: ObjectIndex) => readonly Problem[];
  readonly selectorsOf?: (object: LintObject) => readonly PodSelector[];
}
