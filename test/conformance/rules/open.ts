/** Defects of the local cluster that are known, and not mended yet. */
import type { Rule } from '../differences.ts';

const rule = (id: string, what: string, more: Partial<Rule>): Rule => ({
  id,
  why: 'open',
  what,
  reason: 'to be mended',
  ...more,
});

export const openRules: readonly Rule[] = [
  rule('events', 'Events: checks of the newer group, null times, orphans, names', {
    scenario: /\/events /,
  }),
];
