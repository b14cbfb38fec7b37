/** What newer Kubernetes refuses, or refuses no more, and the words for it. */
import type { Rule } from '../differences.ts';
import { ABSENT, newerRule as rule } from './newer-rule.ts';

const services: readonly Rule[] = [
  rule('service-updates', 'an update of a Service needs no revision, and may create one (1.23)', {
    scenario: /\/services (update|status)$/,
    step: /^(without a|by another|with another|as it was first|put to|of what is not|of another id)/,
    path: /^status$/,
    expected: /^(422|404)$/,
    whole: true,
  }),
  rule('service-update-words', 'no fault of a Service is that its update has no revision (1.23)', {
    scenario: /\/services update$/,
    step: /^refused: /,
    path: /^body\.(message|details\.causes)$/,
    expected: /metadata\.resourceVersion/,
  }),
  rule('service-update-traces', 'what such an update of a Service leaves behind (1.23)', {
    scenario: /\/services (update|status)$/,
    step: /^(what is left|the object|apply|dry run|patch( of both| of nothing)?)$/,
    path: /(resourceVersion|labels\.(f:)?written|selector\.app|sessionAffinity(Config)?)$/,
  }),
  rule('service-deletes', 'a Service is deleted with finalizers, and answered with itself (1.23)', {
    scenario: /\/services delete$/,
    path: /^body\.kind$/,
    expected: /^"Status"$/,
    received: /^"Service"$/,
    whole: true,
  }),
  rule('service-delete-traces', 'what such an end of a Service leaves behind (1.23)', {
    scenario: /\/services (delete|collection)$/,
    step: /^(another identity|label while it goes|let go|after the (field|label))$/,
    path: /^body\.(message|metadata\.resourceVersion|items)$/,
  }),
  rule('service-ranges', 'a dry run of a Service is refused an address outside the range (1.22)', {
    scenario: /\/services create$/,
    step: /^invalid: an address outside$/,
    path: /^status$/,
    expected: /^201$/,
    received: /^422$/,
    whole: true,
  }),
  rule('service-selectors', 'Services are selected by `spec.clusterIP` and `spec.type`', {
    scenario: /\/services read$/,
    step: /^field, unknown$/,
    path: /^body\.message$/,
    received: /field label not supported/,
  }),
  rule('service-collections', 'services are deleted as a collection (1.23)', {
    scenario: /\/services collection$/,
    path: /^status$/,
    expected: /^405$/,
    whole: true,
  }),
];

const workloads: readonly Rule[] = [
  rule('set-containers', 'a StatefulSet without containers is refused', {
    scenario: /\/statefulsets (create|update|patch)$/,
    step: /no containers$/,
    path: /^status$/,
    expected: /^20\d$/,
    received: /^422$/,
    whole: true,
  }),
  rule('set-words', 'words about what of a StatefulSet may change', {
    scenario: /\/statefulsets (update|patch|apply)$/,
    path: /message$/,
    expected: /updates to statefulset spec for fields other than/,
    received: /updates to statefulset spec for fields other than/,
  }),
  rule('job-selectors', 'the selector of a Job is made of the prefixed labels (1.27)', {
    scenario: /\/jobs (update|patch|apply)$/,
    step: /a selector of its own$|^merge: another identity$/,
    path: /^body\.details\.causes$/,
    expected: /spec\.selector/,
  }),
  rule('pod-quality', 'the `qosClass` of a Pod stays whatever the status says (1.27)', {
    scenario: /\/pods status$/,
    path: /^body\.status\.qosClass$/,
    expected: ABSENT,
  }),
];

const metadata: readonly Rule[] = [
  rule('finalizer-words', 'a finalizer that is no name is also told to be none that is known', {
    scenario: / create$/,
    step: /^bad finalizers$|: a finalizer that is no name$/,
    path: /^body\.(message|details\.causes.*)$/,
  }),
  rule('label-checks', 'a name that becomes a label is checked as a label as well', {
    scenario: /\/(namespaces|jobs) create$/,
    step: /^long name$/,
    path: /^body\.(message|details\.causes)$/,
    received: /metadata\.labels/,
  }),
  rule('finalizer-owners', '`managedFields` of an object that is going name its finalizers', {
    scenario: /^custom-kinds life$/,
    step: /^held$/,
    path: /managedFields.*f:finalizers/,
    expected: ABSENT,
  }),
  rule('deletion-revision', 'what is deleted is answered with the revision of its deletion', {
    scenario: / delete$/,
    step: /^with its identity$/,
    path: /^body\.metadata\.resourceVersion$/,
    expected: /^"\{rv 1\}"$/,
  }),
  rule(
    'generated-range-names',
    'a LimitRange has an identity as its name only where it has no prefix',
    {
      scenario: /\/limitranges create$/,
      step: /^(bad )?generated name$|^no name$/,
      path: /^body\.(metadata\.(name|uid)|details\.name|message)$/,
    },
  ),
];

const faults: readonly Rule[] = [
  rule('required-first', 'what is missing is not told to be malformed as well', {
    scenario: /\/(persistentvolumes|volumeattachments) (create|update|patch|apply)$/,
    step: /: no (node|attacher|capacity)$/,
    path: /^body\.(message|details\.causes.*)$/,
  }),
  rule('item-keys', 'an applied list whose items have no key is refused', {
    scenario: /\/pods apply$/,
    step: /^refused: a container without a name$/,
    path: /^status$/,
    expected: /^422$/,
    received: /^500$/,
    whole: true,
  }),
  rule('port-keys', 'an applied port of a Service needs no protocol', {
    scenario: /\/services apply$/,
    step: /^refused: (a port that is none|ports without names)$/,
    path: /^status$/,
    expected: /^500$/,
    received: /^422$/,
    whole: true,
  }),
  rule('whole-conflicts', 'a conflict names what is owned as a whole (1.22 to 1.27)', {
    scenario: /\/services apply$/,
    path: /^body\.(message|details\.causes\[\d\]\.field)$/,
    expected: /\.spec\.selector\.app/,
    received: /\.spec\.selector(?!\.)/,
  }),
  rule('extensions-group', 'Ingress and NetworkPolicy speak of their own group', {
    scenario: /\/(ingresses|networkpolicies) /,
    path: /^body\.(message|details\.group)$/,
    expected: /extensions/,
    received: /networking\.k8s\.io/,
  }),
  rule('environment-names', 'names of variables may be anything but `=` (1.30)', {
    scenario: /\/pods /,
    path: /message$/,
    expected: /a valid environment variable name/,
    received: /a valid environment variable name/,
  }),
  rule('pod-once', 'words about access modes that came later', {
    scenario: /\/persistentvolume(claim)?s /,
    path: /message$/,
    expected: /supported values: \\"ReadOnlyMany\\", /,
    received: /ReadWriteOncePod/,
  }),
  rule('lease-words', 'words about transitions of a Lease', {
    scenario: /\/leases /,
    path: /message$/,
    expected: /must to greater or equal than/,
    received: /must be greater than or equal to/,
  }),
  rule('patch-words', 'words about a patch that is no JSON', {
    scenario: / patch$/,
    step: /^strategic: broken$/,
    path: /^body\.message$/,
    received: /error decoding patch/,
  }),
  rule('custom-faults', 'faults of custom objects name the item of a list, the version, the form', {
    scenario: /^custom-kinds (life|refused)$/,
    step: /(type|fraction|name|tags|port|faults|versions?|default|column)/,
    path: /^body\.(message|details\.causes.*)$/,
  }),
];

export const newerChecks: readonly Rule[] = [...services, ...workloads, ...metadata, ...faults];
