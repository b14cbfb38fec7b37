/** Deliberate differences of the local cluster. */
import type { Rule } from '../differences.ts';

const rule = (
  id: string,
  what: string,
  more: Partial<Rule> & { readonly reason: string },
): Rule => ({ id, what, ...more });

const ABSENT = /^undefined$/;

const INERT =
  /^(rbac|networking|scheduling|autoscaling|policy)|\/(cronjobs|resourcequotas|limitranges|statefulsets|daemonsets|controllerrevisions|csidrivers) /;

export const designRules: readonly Rule[] = [
  rule('inert-warning', 'a write to a kind without a controller returns a warning', {
    reason: 'no controller acts on it, and the user should know',
    path: /^warnings$/,
    received: /local cluster/,
  }),
  rule('inert-checks', 'kinds without a controller are validated by type only', {
    reason: 'no controller acts on their fields',
    scenario: INERT,
    path: /^status$/,
    expected: /^422$/,
    received: /^20/,
    whole: true,
  }),
  rule('inert-defaults', 'kinds without a controller get fewer defaults', {
    reason: 'no controller acts on their fields',
    scenario: INERT,
    path: /targetCPUUtilizationPercentage|deprecated\.daemonset|f:annotations|annotations$|f:metadata$|updateStrategy/,
  }),
  rule(
    'zeros',
    'a field that is null, zero, empty or false is left out, where Go always writes it',
    {
      reason: 'clients read an absent field as the same',
      path: /^body/,
      expected: /^(null|0|false|""|\{\}|\{"kubeletEndpoint":\{"Port":0\}\}|\{"architecture":"".*)$/,
      received: ABSENT,
    },
  ),
  rule('definition-owners', 'the status of a CustomResourceDefinition has no field owner', {
    reason: 'the server writes it itself',
    scenario: /^custom-kinds (life|numbers)$/,
    step: /^(established|definition goes)$/,
    path: /metadata\.managedFields$/,
    expected: /"kube-apiserver"/,
  }),
  rule('node-taints', 'a new Node has no taint `node.kubernetes.io/not-ready`', {
    reason: 'there is one node, which is ready when it is registered',
    scenario: /nodes /,
    path: /spec\.taints$/,
  }),
  rule('loopback-endpoints', 'Endpoints and EndpointSlices may have loopback addresses', {
    reason: 'they are what pods have',
    scenario: /\/endpoint(s|slices) /,
    step: /a loopback address$/,
    path: /^status$/,
    expected: /^422$/,
    received: /^20/,
    whole: true,
  }),
  rule('storage-protection', 'finalizers that protect volumes and claims are set by a controller', {
    reason: 'moments later than by a server that sets them on creation',
    scenario: /persistentvolume(claim)?s /,
    path: /finalizers|^status$|^body(\[\d+\])?(\.type|\.items|\.metadata\.deletion.*)?$/,
    whole: true,
  }),
  rule(
    'go-words',
    'error messages of Go for a body that is not a JSON object, or a token that is not valid',
    {
      reason: 'they name internals of a program that this is not',
      path: /(message|causes)$/,
      expected:
        /cannot unmarshal array into Go value|looking for beginning of value|error decoding YAML|unmarshal (string|number)|scheme\.go|register\.go|readUint64/,
    },
  ),
  rule('go-values', 'values in refusals are those of the request, not those of a Go program', {
    reason: 'names with capitals, zero values and differences of them are of no use to a client',
    path: /(message|causes)$/,
    expected:
      /\{\\"[A-Z]\w*\\":|\\n [ -+]|\{\\"labels\\":|Invalid value: (\\"\{|(null|0|\\"\\"): (field is|`sel))|matchLabels|\\n@@/,
  }),
  rule('yaml-words', 'the message for a body that is not valid YAML', {
    reason: 'another YAML parser writes it',
    step: /^broken$/,
    path: /message$/,
    expected: /error encoding patch: yaml: /,
  }),
  rule('zero-owners', 'a number that is zero, or a value that is false, has no owner', {
    reason: 'clients read an absent field as the same, and so it is stored',
    scenario:
      /(daemonsets|replicasets|statefulsets|horizontalpodautoscalers|poddisruptionbudgets|volumeattachments) status$/,
    path: /managedFields/,
  }),
  rule('causes-once', 'a cause is listed once, also where a real server lists it twice', {
    reason: 'the second entry repeats the first',
    path: /details\.causes$/,
  }),
  rule('access-words', 'messages about access and tokens', {
    reason: 'who has the token may do everything',
    scenario: /^reviews /,
    path: /status\.(reason|error)$/,
  }),
];
