import type { DocumentPath } from '../../../model/located-document.ts';
import type { Problem } from '../../../model/problem.ts';

/** The result of a rule: a problem, and its path in the document. */
export type Finding = Omit<Problem, 'at' | 'path'> & { readonly path: DocumentPath };

/** Input of the rules besides the manifest. */
export interface LintSettings {
  /** Minor version of the oldest server that must accept the manifest: 28 for 1.28; null: any supported version. */
  readonly serverMinor: number | null;
  /** Seconds that the programs take to exit after TERM; null: unknown. */
  readonly drainSeconds: number | null;
}

/** Annotation of a pod: seconds that its program takes to exit after TERM. */
export const DRAIN_ANNOTATION = 'lifehook.dev/drain-seconds';

/** The default of Kubernetes. */
export const DEFAULT_GRACE_SECONDS = 30;
