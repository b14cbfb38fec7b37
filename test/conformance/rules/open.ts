/** Defects of the local cluster that are known, and not mended yet. */
import type { Rule } from '../differences.ts';

const rule = (
  id: string,
  what: string,
  more: Partial<Rule> & { readonly reason: string },
): Rule => ({ id, why: 'open', what, ...more });

export const openRules: readonly Rule[] = [
  rule('scale-owners', 'a write of the scale is owned by the writer of the object', {
    reason: 'a real server has an entry of its own for the subresource',
    scenario: / scale$|^custom-kinds life$/,
    path: /managedFields$/,
    expected: /"subresource":"scale"/,
  }),
  rule('finalizer-words', 'a finalizer that is no name is also told to be none that is known', {
    reason: 'a real server says it for the kinds of the core group alone',
    step: /^bad finalizers$|: a finalizer that is no name$/,
    path: /^body\.(message|details\.causes.*)$/,
    received: /neither a standard finalizer/,
  }),
  rule('item-keys', 'an applied list whose items have no key is refused before it is merged', {
    reason: 'newer servers merge it and check the whole object',
    scenario: /\/pods apply$/,
    step: /^refused: a container without a name$/,
    path: /^status$/,
    expected: /^422$/,
    received: /^500$/,
    whole: true,
  }),
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
  rule('custom-faults', 'faults of custom objects and definitions are told once', {
    reason: 'a real server adds what its rules and its conversion find',
    scenario: /^custom-kinds (life|refused)$/,
    step: /(fraction|wrong type|column)/,
    path: /^body\.(message|details\.causes.*)$/,
  }),
];
