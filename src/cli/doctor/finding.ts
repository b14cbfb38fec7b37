import type { Facts } from './facts.ts';

/** One line of the report. */
export interface Finding {
  /** What was looked at: "server version". */
  readonly check: string;
  /** An error stops something that Lifehook promises; a warning does not. */
  readonly result: 'ok' | 'warning' | 'error';
  readonly found: string;
  /** What to do; of everything but ok. */
  readonly next?: string;
}

/** One check: pure, and silent where it has nothing to look at. */
export type Check = (facts: Facts) => readonly Finding[];
