/** The recorded server is a Kubernetes 1.20; the local cluster follows 1.34. */
import type { Rule } from '../differences.ts';
import { newerChecks } from './newer-checks.ts';
import { ABSENT, newerRule as rule } from './newer-rule.ts';

/** Within an object, wherever it stands in the answer; or as its owner's field. */
const field = (names: string): RegExp => new RegExp(`(\\.|f:)(${names})(\\.|\\[|$)`);

const fields: readonly Rule[] = [
  rule('template-creation-time', '`creationTimestamp: null` is left out of templates (1.34)', {
    path: /\.template\.metadata\.creationTimestamp$/,
    expected: /^null$/,
    received: ABSENT,
  }),
  rule('generation', '`metadata.generation` of kinds that had none', {
    scenario: /\/(pods|podtemplates|jobs|csidrivers) |^written /,
    path: /metadata\.generation$/,
    received: /^[1-9]$/,
  }),
  rule('job-labels', 'pods of a Job have labels with the prefix `batch.kubernetes.io/` (1.27)', {
    scenario: /jobs /,
    path: field('(batch\\.kubernetes\\.io/)?(controller-uid|job-name)'),
  }),
  rule(
    'job-fields',
    'a Job has `completionMode`, `suspend`, `podReplacementPolicy` (1.21 to 1.34)',
    {
      scenario: /jobs /,
      path: field('completionMode|suspend|podReplacementPolicy'),
    },
  ),
  rule('namespace-label', 'a namespace has the label `kubernetes.io/metadata.name` (1.21)', {
    scenario: /namespaces /,
    path: /(metadata\.labels(\.kubernetes\.io\/metadata\.name)?|f:labels\.f:kubernetes\.io\/metadata\.name|f:metadata)$/,
    expected: ABSENT,
  }),
  rule('service-fields', 'a Service has `ipFamilies`, `ipFamilyPolicy`, `internalTrafficPolicy`', {
    scenario: /services /,
    path: field('ipFamil(ies|yPolicy)|internalTrafficPolicy'),
    expected: ABSENT,
  }),
  rule('service-addresses', 'a dry run of a Service is given an address (1.22)', {
    scenario: /services create$/,
    path: /spec\.clusterIPs?$/,
    expected: ABSENT,
  }),
  rule('daemon-set-fields', 'a DaemonSet has `maxSurge` (1.22)', {
    scenario: /daemonsets /,
    path: field('maxSurge'),
    expected: ABSENT,
  }),
  rule('stateful-set-fields', 'a StatefulSet has `persistentVolumeClaimRetentionPolicy` (1.23)', {
    scenario: /statefulsets /,
    path: field('persistentVolumeClaimRetentionPolicy|availableReplicas'),
    expected: ABSENT,
  }),
  rule('driver-fields', 'a CSIDriver has `requiresRepublish`, `seLinuxMount`, `storageCapacity`', {
    scenario: /csidrivers /,
    path: field('requiresRepublish|seLinuxMount|storageCapacity'),
    expected: ABSENT,
  }),
  rule('columns', 'columns of tables that came later', {
    scenario:
      /\/(pods|jobs|persistentvolume(claim)?s|csidrivers|priorityclasses|horizontalpodautoscalers|events) (read|watch)$/,
    path: /(rows\[\d+\]\.cells(\[\d+\])?|columnDefinitions(\[\d+\]\.type)?)$/,
  }),
];

const owners: readonly Rule[] = [
  rule('status-owners', 'a plain write owns nothing of the status in `managedFields` (1.22)', {
    path: /managedFields\[\d+\]\.fieldsV1\.f:status(\.|$)/,
    received: ABSENT,
  }),
  rule('status-owner-entry', '`managedFields` has entries of their own for subresources (1.21)', {
    path: /managedFields(\[\d+\]\.subresource)?$/,
    received: /"subresource"|^"status"$/,
  }),
  rule('status-leaves', 'a write of the status owns nothing of what it leaves as it was (1.22)', {
    scenario: /(statefulsets|volumeattachments) status$/,
    path: /managedFields\[\d+\]\.fieldsV1\.f:(spec|metadata\.f:annotations)$/,
    received: ABSENT,
  }),
  rule('whole-owners', 'references, selectors and the like are owned as a whole (1.22 to 1.27)', {
    path: field('f:(roleRef|involvedObject|regarding|scaleTargetRef|selector|port|parameters)'),
    received: ABSENT,
  }),
  rule('applied-empties', 'an empty object that is applied is owned (1.21)', {
    scenario: / apply$/,
    step: /^refused: no (address|backend)$/,
    path: /^body\.metadata\.managedFields\[0\]\.fieldsV1\..*f:(clientConfig|spec)$/,
    expected: ABSENT,
    received: /^\{\}$/,
  }),
  rule('emptied-owners', 'who owned an empty map does not come to own what is in it (1.22)', {
    scenario: /^written owners$/,
    step: /^(applied without|given up|owners cleared)$/,
    path: /^body\.(data\.[ad]|metadata\.managedFields)$/,
  }),
];

const words: readonly Rule[] = [
  rule('decoder-words', 'words of the JSON decoder about a wrong type', {
    path: /message$/,
    expected: /error found in #\d+ byte|unexpected character/,
  }),
  rule('kind-words', 'words about a body of another kind or group', {
    path: /message$/,
    expected: /no kind \\".*\\" is registered/,
  }),
  rule('namespace-words', 'words about a body of another namespace', {
    path: /message$/,
    expected: /does not match the namespace (on|of) the request/,
    received: /does not match the namespace sent on the request/,
  }),
  rule('namespace-of-itself', 'a Namespace that names another namespace is taken (1.21)', {
    scenario: /\/namespaces (update|patch)$/,
    step: /^(of another|merge:) namespace$/,
    path: /^status$/,
    expected: /^400$/,
    received: /^200$/,
    whole: true,
  }),
  rule('patch-media-words', 'words about the media type of a patch', {
    path: /(message|details)$/,
    step: /^media type/,
  }),
  rule('too-long-words', 'words about what is too long', {
    path: /message$/,
    expected: /must have at most \d+/,
    received: /may not be more than \d+/,
  }),
  rule('value-words', 'lists and objects in error messages are JSON, not Go', {
    path: /message$/,
    expected:
      /\\"null\\"|0x0|map\[string\]|LabelSelector\{|(\[\]string|map\[|&?[a-z]+\.[A-Z]\w+|(Invalid|Unsupported) value: \[\]\w+\.?\w*)\{/,
  }),
  rule('typed-patch-words', 'an apply that does not fit says which object', {
    path: /message$/,
    expected: /failed to create typed patch object: /,
    received: /failed to create typed patch object \(/,
  }),
  rule('label-key-words', 'words about the key of a label selector', {
    path: /message$/,
    expected: /invalid label (key|value) /,
    received: /<nil>: Invalid value: /,
  }),
];

const answers: readonly Rule[] = [
  rule('field-validation', '`fieldValidation=Strict` refuses unknown fields (1.25)', {
    step: /^unknown field refused$/,
    path: /^status$/,
    expected: /^20/,
    received: /^400$/,
    whole: true,
  }),
  rule('unknown-field-warning', 'a write with an unknown field is answered with a warning (1.25)', {
    path: /^warnings$/,
    received: /unknown field/,
  }),
  rule(
    'broken-merge-patch',
    'a merge patch that is no JSON is a bad request, not a failure (1.25)',
    {
      step: /^merge: broken$/,
      path: /^status$/,
      expected: /^500$/,
      received: /^400$/,
      whole: true,
    },
  ),
  rule('unreadable-apply', 'an apply that cannot be read is a bad request, not a failure', {
    scenario: / (apply|status)$/,
    path: /^status$/,
    expected: /^500$/,
    received: /^400$/,
    whole: true,
  }),
];

export const newerRules: readonly Rule[] = [
  ...answers,
  ...fields,
  ...owners,
  ...words,
  ...newerChecks,
];
