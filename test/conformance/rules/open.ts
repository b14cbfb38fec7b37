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
  rule('fault-order', 'the order of several faults, and of several conflicts', {
    path: /message$/,
    expected: /is invalid: \[|conflicts with/,
    received: /is invalid: \[|conflicts with/,
  }),
  rule('extra-revisions', 'an apply or a deletion counts one revision more', {
    scenario: / (apply|delete)$/,
    path: /metadata\.resourceVersion$/,
  }),
  rule('reinvocation', 'the `reinvocationPolicy` of a webhook is not checked', {
    step: /unknown reinvocation/,
  }),
  rule(
    'replica-set-selectors',
    'ReplicaSets can be selected by a field that a real server has not',
    {
      scenario: /(replicasets|jobs) read$/,
      step: /field selector/,
    },
  ),
  rule('scale-words', 'a Scale that is not there is told to be its object', {
    scenario: / scale$/,
    step: /not there/,
  }),
  rule('role-names', 'names of cluster roles are shorter than any path', {
    scenario: /clusterrole(binding)?s create/,
    step: /name/,
  }),
  rule('limit-range-names', 'a LimitRange without a name is named by its identity', {
    scenario: /limitranges /,
    step: /name/,
  }),
  rule('address-of-webhooks', 'an empty client configuration of a webhook is owned', {
    step: /no (address|backend)/,
    path: /managedFields/,
  }),
  rule('definition-end', 'a definition that goes says so in other words', {
    scenario: /^custom-kinds life/,
    step: /definition goes/,
  }),
  rule('bindings', 'targets of bindings are not checked', { scenario: /^written binding/ }),
  rule('cleared-owners', 'owners that a patch clears', { scenario: /^written owners/ }),
  rule('field-words', 'words about a field that cannot be selected by', {
    path: /message$/,
    received: /field label not supported/,
  }),
];
