import type { Findings } from '../../../controller/definitions/schema-problems.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { DocumentPath } from '../../../model/located-document.ts';
import type { Problem } from '../../../model/problem.ts';
import type { LintObject } from './lint-object.ts';
import type { ObjectIndex } from './object-index.ts';

export interface ManifestSettings {
  /** Minor version of the oldest supported server; null: the newest known version. */
  readonly serverMinor: number | null;
  /** Seconds that programs need to exit after SIGTERM; null: not given. */
  readonly drainSeconds: number | null;
  /** True: the files contain all objects, so unknown kinds and unresolved names are errors. */
  readonly strict: boolean;
}

/** A field that selects pods, in an object of a Lifehook kind. */
export interface PodSelector {
  readonly holder: Readonly<Record<string, unknown>>;
  readonly path: DocumentPath;
  readonly field: string;
  /** The container of the selected pods; its name is '' if the field names none. */
  readonly container: { readonly name: string; readonly path: DocumentPath };
}

/** The checks of manifests that a lifecycle adds. All are pure. */
export interface ManifestRules {
  /** Problems of the hooks in an object of a Kubernetes kind. */
  readonly checkHooks?: (
    value: unknown,
    settings: ManifestSettings,
  ) => readonly (Omit<Problem, 'at' | 'path'> & { readonly path: DocumentPath })[];
  /** The rules of the webhook, keyed by the Lifehook kind. */
  readonly validators?: Readonly<Record<string, (object: JsonObject) => Findings>>;
  /** Problems of an object of a Lifehook kind in combination with the other objects. */
  readonly checkTogether?: (object: LintObject, index: ObjectIndex) => readonly Problem[];
  readonly selectorsOf?: (object: LintObject) => readonly PodSelector[];
}
