import type { DocumentPath } from '../../../model/located-document.ts';
import type { Problem } from '../../../model/problem.ts';

export interface ManifestSettings {
  /** The minor version of the oldest server that has to understand it; null: the newest that is known. */
  readonly serverMinor: number | null;
  /** How long programs take to end after TERM, seconds; null: not given. */
  readonly drainSeconds: number | null;
  /** The files are all there is: unknown kinds and names that resolve to nothing are errors. */
  readonly strict: boolean;
}

/** What a lifecycle adds to the checks of manifests. All are pure. */
export interface ManifestRules {
  /** Problems of the hooks in an object of a kind of Kubernetes. */
  readonly checkHooks?: (
    value: unknown,
    settings: ManifestSettings,
  ) => readonly (Omit<Problem, 'at' | 'path'> & { readonly path: DocumentPath })[];
}
