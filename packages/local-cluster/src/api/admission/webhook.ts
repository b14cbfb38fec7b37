/** Reads the webhooks of the stored webhook configurations, in the order in which they are called. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import {
  fieldsAt,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
} from '../../../../../src/kube/fields.ts';
import { requirementsOf } from '../../objects/selector-object.ts';
import type { Requirement } from '../../objects/selector.ts';
import type { ObjectStore } from '../../storage/object-store.ts';

export type WebhookKind = 'mutating' | 'validating';

export interface Webhook {
  /** Id, which is unique among all webhooks of its kind. */
  readonly id: string;
  readonly name: string;
  readonly rules: readonly WebhookRule[];
  /** True for matchPolicy Equivalent: rules also match requests for the same objects under another group or version. */
  readonly equivalent: boolean;
  readonly namespaceSelector: readonly Requirement[];
  readonly objectSelector: readonly Requirement[];
  readonly conditions: readonly MatchCondition[];
  readonly ignoreFailures: boolean;
  /** True if the webhook has no side effects, or none on a dry run. */
  readonly dryRunSafe: boolean;
  readonly timeoutSeconds: number;
  readonly reinvoke: boolean;
  /** Version of the AdmissionReview; undefined if the webhook supports none of ours. */
  readonly reviewVersion: ReviewVersion | undefined;
  readonly client: WebhookClient;
}

export type ReviewVersion = 'v1' | 'v1beta1';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

export interface WebhookRule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
}

export interface WebhookClient {
  /** URL of the webhook; '' if it is called through its service. */
  readonly url: string;
  readonly service: {
    readonly namespace: string;
    readonly name: string;
    readonly port: number;
    readonly path: string;
  };
  /** CA certificates in PEM that the webhook's certificate must chain to; '' for the system's. */
  readonly authority: string;
}

const HTTPS_PORT = 443;
const DEFAULT_TIMEOUT_SECONDS = 10;

/** Webhooks in the order of their configuration; configurations are ordered by name. */
export function webhooksOf(store: ObjectStore, kind: WebhookKind): readonly Webhook[] {
  const resource = `${kind}webhookconfigurations.admissionregistration.k8s.io`;
  return store.list(resource).flatMap(({ object }) => readConfiguration(object));
}

/** Stored objects are frozen, so a cached result stays valid. */
const read = new WeakMap<JsonObject, readonly Webhook[]>();

function readConfiguration(configuration: JsonObject): readonly Webhook[] {
  const known = read.get(configuration);
  if (known !== undefined) return known;
  const name = textAt(configuration, 'metadata', 'name');
  const webhooks = objectsAt(configuration, 'webhooks').map((webhook, index) =>
    readWebhook(webhook, `${name}/${textAt(webhook, 'name')}/${index}`),
  );
  read.set(configuration, webhooks);
  return webhooks;
}

function readWebhook(webhook: JsonObject, id: string): Webhook {
  const known = ['v1', 'v1beta1'] as const;
  return {
    id,
    name: textAt(webhook, 'name'),
    rules: objectsAt(webhook, 'rules').map(readRule),
    equivalent: textAt(webhook, 'matchPolicy') !== 'Exact',
    namespaceSelector: requirementsOf(fieldsAt(webhook, 'namespaceSelector')),
    objectSelector: requirementsOf(fieldsAt(webhook, 'objectSelector')),
    conditions: objectsAt(webhook, 'matchConditions').map((condition) => ({
      name: textAt(condition, 'name'),
      expression: textAt(condition, 'expression'),
    })),
    ignoreFailures: textAt(webhook, 'failurePolicy') === 'Ignore',
    dryRunSafe: ['None', 'NoneOnDryRun'].includes(textAt(webhook, 'sideEffects')),
    timeoutSeconds: numberAt(webhook, 'timeoutSeconds') ?? DEFAULT_TIMEOUT_SECONDS,
    reinvoke: textAt(webhook, 'reinvocationPolicy') === 'IfNeeded',
    reviewVersion: textsAt(webhook, 'admissionReviewVersions')
      .map((version) => known.find((one) => one === version))
      .find((version) => version !== undefined),
    client: readClient(fieldsAt(webhook, 'clientConfig')),
  };
}

function readRule(rule: JsonObject): WebhookRule {
  return {
    operations: textsAt(rule, 'operations'),
    apiGroups: textsAt(rule, 'apiGroups'),
    apiVersions: textsAt(rule, 'apiVersions'),
    resources: textsAt(rule, 'resources'),
    scope: textAt(rule, 'scope'),
  };
}

function readClient(config: JsonObject): WebhookClient {
  const service = objectAt(config, 'service') ?? {};
  const bundle = textAt(config, 'caBundle');
  return {
    url: textAt(config, 'url'),
    service: {
      namespace: textAt(service, 'namespace'),
      name: textAt(service, 'name'),
      port: numberAt(service, 'port') ?? HTTPS_PORT,
      path: textAt(service, 'path'),
    },
    authority: bundle === '' ? '' : decodeBase64(bundle),
  };
}

/** Decodes base64. Invalid base64 cannot occur: validation has refused it. */
function decodeBase64(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (sign) => sign.codePointAt(0) ?? 0));
}
