/** The recorded server is a Kubernetes 1.20; the local cluster follows 1.34. */
import type { Rule } from '../differences.ts';

const rule = (id: string, what: string, more: Partial<Rule>): Rule => ({
  id,
  why: 'newer',
  what,
  reason: 'newer Kubernetes',
  ...more,
});

const ABSENT = /^undefined$/;
/** Within an object, wherever it stands in the answer; or as its owner's field. */
const field = (names: string): RegExp => new RegExp(`(\\.|f:)(${names})(\\.|\\[|$)`);

const fields: readonly Rule[] = [
  rule('template-creation-time', '`creationTimestamp: null` is left out of templates (1.34)', {
    path: /\.creationTimestamp$/,
    expected: /^null$/,
    received: ABSENT,
  }),
  rule('generation', '`metadata.generation` of kinds that had none', {
    path: /metadata\.generation$/,
  }),
  rule('job-labels', 'pods of a Job have labels with the prefix `batch.kubernetes.io/` (1.27)', {
    scenario: /jobs /,
    path: field('.*controller-uid|.*job-name'),
  }),
  rule(
    'job-fields',
    'a Job has `completionMode`, `suspend`, `podReplacementPolicy` (1.21 to 1.34)',
    {
      scenario: /jobs /,
      path: field('completionMode|suspend|podReplacementPolicy|manualSelector'),
    },
  ),
  rule('namespace-label', 'a namespace has the label `kubernetes.io/metadata.name` (1.21)', {
    scenario: /namespaces /,
    path: /labels(\.|$)|f:metadata$/,
    received: /kubernetes\.io\/metadata\.name|^"\{ns\}|^\{\}$/,
  }),
  rule('service-fields', 'a Service has `ipFamilies`, `ipFamilyPolicy`, `internalTrafficPolicy`', {
    scenario: /services /,
    path: field('ipFamil(ies|yPolicy)|internalTrafficPolicy|externalTrafficPolicy'),
  }),
  rule('service-addresses', 'a dry run of a Service is given an address (1.22)', {
    scenario: /services /,
    path: /clusterIPs?$/,
    expected: ABSENT,
  }),
  rule('daemon-set-fields', 'a DaemonSet has `maxSurge` (1.22)', {
    scenario: /daemonsets /,
    path: field('maxSurge'),
  }),
  rule('stateful-set-fields', 'a StatefulSet has `persistentVolumeClaimRetentionPolicy` (1.23)', {
    scenario: /statefulsets /,
    path: field('persistentVolumeClaimRetentionPolicy|availableReplicas'),
  }),
  rule('driver-fields', 'a CSIDriver has `requiresRepublish`, `seLinuxMount`, `storageCapacity`', {
    scenario: /csidrivers /,
    path: field('requiresRepublish|seLinuxMount|storageCapacity'),
  }),
  rule('columns', 'columns of tables that came later', {
    path: /(rows\[\d+\]\.cells(\[\d+\])?|columnDefinitions(\[\d+\].*)?)$/,
  }),
];

const owners: readonly Rule[] = [
  rule('status-owners', 'a plain write owns nothing of the status in `managedFields` (1.22)', {
    path: /managedFields.*f:status/,
  }),
  rule('status-owner-entry', '`managedFields` has entries of their own for subresources (1.21)', {
    path: /managedFields(\[\d+\]\.subresource|$)/,
  }),
  rule('status-leaves', 'a write of the status owns nothing of what it leaves as it was (1.22)', {
    scenario: /(statefulsets|volumeattachments) status$/,
    path: /managedFields\[\d+\]\.fieldsV1\.f:(spec|metadata\.f:annotations)$/,
    received: ABSENT,
  }),
  rule('whole-owners', 'references, selectors and the like are owned as a whole (1.22 to 1.27)', {
    path: field('f:(roleRef|involvedObject|regarding|scaleTargetRef|selector|port|parameters)'),
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
    path: /^body\.data\.[ad]$/,
    received: ABSENT,
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
  }),
];

const checks: readonly Rule[] = [
  rule('set-words', 'words about changes of a StatefulSet, and its containers are checked', {
    scenario: /statefulsets /,
    step: /refused|invalid/,
  }),
  rule('extensions-group', 'Ingress and NetworkPolicy speak of their own group', {
    scenario: /(ingresses|networkpolicies) /,
    path: /(message|details\.group)$/,
    expected: /extensions/,
  }),
  rule('service-updates', 'an update of a Service needs no revision, and may create one (1.23)', {
    scenario: /services (update|status)$/,
  }),
  rule('service-deletes', 'a Service is deleted with finalizers, and answered with itself (1.23)', {
    scenario: /services (delete|collection)$/,
  }),
  rule('service-checks', 'addresses of Services are checked by more rules (1.22)', {
    scenario: /services /,
    step: /refused|invalid|conflict|the same/,
  }),
  rule('job-selectors', 'the selector of a Job is made of the prefixed labels (1.27)', {
    scenario: /jobs /,
    step: /selector|another identity/,
  }),
  rule(
    'label-checks',
    'parts of labels and finalizers are checked by more rules, in another order',
    {
      step: /bad (labels|finalizers)|a finalizer that is no name|long name/,
      path: /^body\.(message|details)/,
    },
  ),
  rule('required-first', 'what is missing is not told to be malformed as well', {
    path: /^body\.(message|details)/,
    step: /no node|no attacher|no selector|no capacity/,
  }),
  rule('custom-fields', 'faults of custom objects name the item of a list, and the version', {
    scenario: /^custom-kinds /,
    path: /details\.causes/,
  }),
  rule('pod-quality', 'the `qosClass` of a Pod stays whatever the status says (1.27)', {
    scenario: /\/pods status$/,
    path: /^body\.status\.qosClass$/,
    expected: ABSENT,
  }),
  rule('pod-grace', 'a negative grace of a Pod is refused', {
    scenario: /\/pods /,
    step: /a negative grace/,
  }),
  rule('pod-keys', 'an applied list whose items have no key is refused', {
    scenario: / apply$/,
    expected: /^(422|500)$/,
    received: /^(422|500)$/,
    path: /^status$/,
    whole: true,
  }),
  rule('environment-names', 'names of variables may be anything but `=` (1.30)', {
    path: /message$/,
    expected: /a valid environment variable name/,
  }),
  rule('pod-once', 'words about access modes that came later', {
    path: /message$/,
    received: /ReadWriteOncePod/,
  }),
  rule('lease-words', 'words about transitions of a Lease', {
    path: /message$/,
    expected: /must to greater or equal/,
  }),
  rule('patch-words', 'words about a patch that is no JSON', {
    path: /message$/,
    received: /error decoding patch/,
  }),
  rule('finalizer-owners', '`managedFields` of an object that is going name its finalizers', {
    path: /managedFields.*f:finalizers/,
  }),
  rule('custom-words', 'words about custom objects', {
    scenario: /^custom-kinds /,
    path: /(message|reason)$/,
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
  rule('service-collections', 'services are deleted as a collection (1.23)', {
    scenario: /services collection/,
    path: /^status$/,
    expected: /^405$/,
    whole: true,
  }),
  rule('deletion-revision', 'what is deleted is answered with the revision of its deletion', {
    scenario: / delete$/,
    step: /^with its identity$/,
    path: /^body\.metadata\.resourceVersion$/,
    expected: /^"\{rv 1\}"$/,
  }),
  rule('service-selectors', 'Services are selected by `spec.clusterIP` and `spec.type`', {
    scenario: /\/services read$/,
    step: /^field, unknown$/,
    path: /^body\.message$/,
    received: /field label not supported/,
  }),
  rule(
    'generated-range-names',
    'a LimitRange has an identity as its name only where it has no prefix',
    {
      scenario: /limitranges create$/,
      step: /^(bad )?generated name$|^no name$/,
      path: /^body\.(metadata\.(name|uid)|details\.name|message)$/,
    },
  ),
];

export const newerRules: readonly Rule[] = [...answers, ...fields, ...owners, ...words, ...checks];
