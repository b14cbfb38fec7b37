/** Defects of the local cluster that are known, and not mended yet. */
import type { Rule } from '../differences.ts';

const rule = (
  id: string,
  what: string,
  more: Partial<Rule> & { readonly reason: string },
): Rule => ({ id, why: 'open', what, ...more });

export const openRules: readonly Rule[] = [
  rule(
    'finalizer-words',
    'an invalid finalizer name gets a second error: it is not a standard name',
    {
      reason: 'a real server returns it for kinds of the core group only',
      step: /^bad finalizers$|: a finalizer that is no name$/,
      path: /^body\.(message|details\.causes.*)$/,
      received: /neither a standard finalizer/,
    },
  ),
  rule(
    'service-order',
    'a Service without a name, or with a revision, is refused before its address',
    {
      reason: 'a real server gives the address first',
      scenario: /\/services (create|update)$/,
      step: /^(no name|of what is not there, with a revision)$/,
      path: /^(status|body\.(message|details.*))$/,
      whole: true,
    },
  ),
  rule('label-checks', 'the name of a Job is checked as a label of the Job as well', {
    reason: 'a real server gives the Job its labels after that check',
    scenario: /\/jobs create$/,
    step: /^long name$/,
    path: /^body\.message$/,
    received: /metadata\.labels/,
  }),
  rule('custom-faults', 'errors of custom objects and definitions are listed once', {
    reason: 'a real server adds the errors of its rules and its conversion',
    scenario: /^custom-kinds (life|refused)$/,
    step: /(fraction|wrong type|column)/,
    path: /^body\.(message|details\.causes.*)$/,
  }),
];
