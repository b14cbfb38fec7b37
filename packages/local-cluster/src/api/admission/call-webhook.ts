/** Calls one webhook within its timeout, and reads its response. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { Platform } from '../../../../../src/platform/platform.ts';
import type { Randomness } from '../../../../../src/platform/randomness.ts';
import type { WebhookAnswer, WebhookCall } from '../../../../../src/platform/webhook-call.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { AdmissionRequest } from '../admission.ts';
import { endingSignal } from '../verbs/watch.ts';
import { readReview, type ReviewAnswer } from './read-review.ts';
import type { ReviewedRequest } from './reviewed-request.ts';
import type { Webhook, WebhookKind, WebhookClient } from './webhook.ts';
import { numberAt, objectsAt, textAt, isObject } from '../../../../../src/kube/fields.ts';
import { codeOf } from '../../../../../src/platform/posix-error.ts';

/** Maximum number of bytes of a webhook's response: enough for a patch of the largest object. */
const ANSWER_LIMIT_BYTES = 6_291_456;

export interface WebhookWorld {
  readonly store: ObjectStore;
  readonly call: WebhookCall;
  readonly platform: Pick<Platform, 'timers'>;
  readonly randomness: Randomness;
}

export interface Question {
  readonly kind: WebhookKind;
  readonly webhook: Webhook;
  readonly reviewed: ReviewedRequest;
  readonly signal: AdmissionRequest['signal'];
}

export type CallOutcome =
  | { readonly kind: 'answered'; readonly answer: ReviewAnswer }
  | { readonly kind: 'failed'; readonly why: string };

export async function callWebhook(world: WebhookWorld, question: Question): Promise<CallOutcome> {
  const { webhook, reviewed } = question;
  const version = webhook.reviewVersion;
  if (version === undefined) {
    return failed('webhook does not accept known AdmissionReview versions (v1, v1beta1)');
  }
  const uid = world.randomness.uuid();
  const review = {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: requestOf(uid, reviewed),
  };
  const posted = await post(world, question, JSON.stringify(review));
  if ('why' in posted) return failed(`failed to call webhook: ${posted.why}`);
  const fault = statusFailure(posted);
  if (fault !== undefined) return failed(`failed to call webhook: ${fault}`);
  const read = readReview(posted.body, { uid, version, mutating: question.kind === 'mutating' });
  return read.kind === 'read' ? { kind: 'answered', answer: read.answer } : failed(read.why);
}

function requestOf(uid: string, { head, object, oldObject, options }: ReviewedRequest): JsonObject {
  const { dryRun = false, ...before } = head;
  return { uid, ...before, object, oldObject, dryRun, options };
}

async function post(
  world: WebhookWorld,
  { webhook, signal }: Question,
  body: string,
): Promise<WebhookAnswer | { readonly why: string }> {
  const { url, connectTo } = targetOf(world.store, webhook);
  const reported = (why: string): { readonly why: string } => ({ why: `Post "${url}": ${why}` });
  if (typeof connectTo === 'string') return reported(connectTo);
  const end = endingSignal(signal, world.platform.timers, webhook.timeoutSeconds * 1_000);
  try {
    return await world.call.post({
      url,
      connectTo,
      authority: webhook.client.authority,
      body,
      answerLimitBytes: ANSWER_LIMIT_BYTES,
      signal: end,
    });
  } catch (error) {
    if (signal.aborted) return reported('context canceled');
    return reported(end.aborted ? 'context deadline exceeded' : connectFailure(error, url));
  } finally {
    end.abort();
  }
}

interface Target {
  readonly url: string;
  /** Where to connect; null: to the host of `url`; a string: the reason why there is no address. */
  readonly connectTo: { readonly host: string; readonly port: number } | null | string;
}

/**
 * The URL of a webhook, and the address for the connection. The webhook gets its timeout as a query parameter. A query
 * in the configured URL is dropped.
 */
function targetOf(store: ObjectStore, { client, timeoutSeconds }: Webhook): Target {
  const query = `?timeout=${timeoutSeconds}s`;
  if (client.url !== '') {
    const { origin, pathname } = new URL(client.url);
    return { url: `${origin}${pathname}${query}`, connectTo: null };
  }
  const { name, namespace, port, path } = client.service;
  const url = `https://${name}.${namespace}.svc:${port}${path === '' ? '/' : path}${query}`;
  const target = serviceTarget(store, client.service);
  return { url, connectTo: target.kind === 'found' ? target : target.why };
}

function failed(why: string): CallOutcome {
  return { kind: 'failed', why };
}

/** Address of a webhook's service (its cluster IP or external name), or the reason why there is none. */
type ServiceTarget =
  | { readonly kind: 'found'; readonly host: string; readonly port: number }
  | { readonly kind: 'unreachable'; readonly why: string };

function serviceTarget(
  store: ObjectStore,
  { namespace, name, port }: WebhookClient['service'],
): ServiceTarget {
  const found = store.get({ resource: 'services', namespace, name });
  if (found === undefined) return unreachable(`service "${name}" not found`);
  const service = found.object;
  if (textAt(service, 'spec', 'type') === 'ExternalName') {
    return { kind: 'found', host: textAt(service, 'spec', 'externalName'), port };
  }
  const address = textAt(service, 'spec', 'clusterIP');
  if (address === '' || address === 'None') {
    return unreachable('cannot route to service with ClusterIP "None"');
  }
  const served = objectsAt(service, 'spec', 'ports').some((one) => numberAt(one, 'port') === port);
  if (!served) return unreachable(`no service port ${port} found for service "${name}"`);
  return { kind: 'found', host: address, port };
}

function unreachable(why: string): ServiceTarget {
  return { kind: 'unreachable', why };
}

/** Why a webhook could not be called. The texts are those of the HTTP client of a real API server. */
function connectFailure(error: unknown, url: string): string {
  const { hostname, host, port } = new URL(url);
  const address = port === '' ? `${host}:443` : host;
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error) ?? '';
  const unverified = certificateFault(code, message);
  if (unverified !== undefined) return `tls: failed to verify certificate: x509: ${unverified}`;
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${address}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `dial tcp ${address}: connect: no route to host`;
    case 'ENOTFOUND':
      return `dial tcp: lookup ${hostname}: no such host`;
    case 'ECONNRESET':
      return 'EOF';
    default:
      return message;
  }
}

function certificateFault(code: string, message: string): string | undefined {
  if (UNKNOWN_AUTHORITY.has(code)) return 'certificate signed by unknown authority';
  if (EXPIRED.has(code)) return `certificate has expired or is not yet valid: ${message}`;
  if (code !== 'ERR_TLS_CERT_ALTNAME_INVALID') return undefined;
  return `certificate is not valid for this host: ${message}`;
}

const EXPIRED: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const FIRST_SUCCESS = 200;
const LAST_SUCCESS = 206;

/** Returns the error of an HTTP status; undefined for a success. A redirect is an error. */
function statusFailure({ status, body }: WebhookAnswer): string | undefined {
  if (status >= FIRST_SUCCESS && status <= LAST_SUCCESS) return undefined;
  const reported = statusMessage(body);
  if (reported !== '') return reported;
  const known = MESSAGES[status];
  if (known !== undefined) return known;
  if (status < 500) {
    return `the server responded with the status code ${status} but did not return more information`;
  }
  const text = JSON.stringify(body.trim().slice(0, MAX_REPORTED_CHARS) || 'unknown');
  return `an error on the server (${text}) has prevented the request from succeeding`;
}

/** Maximum number of characters of a webhook's error body that a message quotes. */
const MAX_REPORTED_CHARS = 2_048;

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

function statusMessage(body: string): string {
  try {
    const value = JSON.parse(body) as JsonObject;
    if (!isObject(value) || textAt(value, 'kind') !== 'Status') return '';
    return textAt(value, 'message').slice(0, MAX_REPORTED_CHARS);
  } catch {
    return '';
  }
}
