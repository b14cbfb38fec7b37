import type { DocumentPath } from '../../../model/located-document.ts';
import type { Problem } from '../../../model/problem.ts';

/** What a rule found: a problem, and where in the document. */
export type Finding = Omit<Problem, 'at' | 'path'> & { readonly path: DocumentPath };

/** What the rules are told besides the manifest. */
export interface LintSettings {
  /** The minor version of the oldest server that has to understand it: 28 for 1.28; null: any that is supported. */
  readonly serverMinor: number | null;
  /** How long the programs take to end after TERM, seconds; null: nobody said. */
  readonly drainSeconds: number | null;
}

/** Says for one pod how long its program takes to end after TERM, seconds. */
export const DRAIN_ANNOTATION = 'lifehook.dev/drain-seconds';

/** Kubernetes' own default. */
export const DEFAULT_GRACE_SECONDS = 30;
