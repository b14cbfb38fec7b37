/** What the rules about newer Kubernetes have in common. */
import type { Rule } from '../differences.ts';

export const newerRule = (id: string, what: string, more: Partial<Rule>): Rule => ({
  id,
  why: 'newer',
  what,
  reason: 'newer Kubernetes',
  ...more,
});

export const ABSENT: RegExp = /^undefined$/;
