/** What the local cluster does otherwise on purpose. */
import type { Rule } from '../differences.ts';

const rule = (
  id: string,
  what: string,
  more: Partial<Rule> & { readonly reason: string },
): Rule => ({ id, why: 'design', what, ...more });

const ABSENT = /^undefined$/;

const INERT =
  /^(rbac|networking|scheduling|autoscaling)|\/(resourcequotas|limitranges|statefulsets|daemonsets|controllerrevisions|csidrivers) /;

export const designRules: readonly Rule[] = [
  rule('inert-warning', 'a write to a kind that is only kept is answered with a warning', {
    reason: 'nobody acts on it, and a user should know',
    path: /^warnings$/,
    received: /local cluster/,
  }),
  rule('inert-checks', 'kinds that are only kept are not checked beyond their types', {
    reason: 'nobody acts on what they say',
    scenario: INERT,
    path: /^status$/,
    expected: /^422$/,
    received: /^20/,
    whole: true,
  }),
  rule('inert-defaults', 'kinds that are only kept are given fewer defaults', {
    reason: 'nobody acts on what they say',
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
  rule('definition-owners', 'the status of a CustomResourceDefinition is owned by nobody', {
    reason: 'the server writes it itself',
    scenario: /^custom-kinds life$/,
    step: /^(established|definition goes)$/,
    path: /metadata\.managedFields$/,
    expected: /"kube-apiserver"/,
  }),
  rule('node-taints', 'a new Node has no taint `node.kubernetes.io/not-ready`', {
    reason: 'there is one node, which is ready when it is registered',
    scenario: /nodes /,
    path: /spec\.taints$/,
  }),
  rule('loopback-endpoints', 'Endpoints may have loopback addresses', {
    reason: 'they are what pods have',
    scenario: /\/endpoints /,
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
  rule('go-words', 'words of Go about what is no JSON object or no token', {
    reason: 'they name internals of a program that this is not',
    path: /(message|causes)$/,
    expected:
      /cannot unmarshal array into Go value|looking for beginning of value|error decoding YAML|unmarshal (string|number)|scheme\.go|register\.go|readUint64/,
  }),
  rule('told-once', 'an error is told once, also where a real server finds it twice', {
    reason: 'the second one says nothing',
    path: /details\.causes$/,
  }),
  rule('access-words', 'words about access and tokens', {
    reason: 'who has the token may do everything',
    scenario: /^reviews /,
    path: /status\.(reason|error)$/,
  }),
];
