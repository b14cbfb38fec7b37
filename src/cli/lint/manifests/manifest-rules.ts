import type { DocumentPath } from '../../../model/located-document.ts';
import type { Problem } from '../../../model/problem.ts';

export interface ManifestSettings {
  /** Minor version of the oldest supported server; null: the newest known version. */
  readonly serverMinor: number | null;
  /** Time that programs need to exit after SIGTERM, seconds; null: not given. */
  readonly drainSeconds: number | null;
  /** The files contain all objects: unknown kinds and names that resolve to nothing are errors. */
  readonly strict: boolean;
}

/** The checks of manifests that a lifecycle adds. All are pure. */
export interface ManifestRules {
  /** Problems of the hooks in an object of a kind of Kubernetes. */
  readonly checkHooks?: (
    value: unknown,
    settings: ManifestSettings,
  ) => readonly (Omit<Problem, 'at' | 'path'> & { readonly path: DocumentPath })[];
}
