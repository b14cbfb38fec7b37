/** One question to one webhook, within its time, and what it answered. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { Platform } from '../../../../../src/platform/platform.ts';
import type { Randomness } from '../../../../../src/platform/randomness.ts';
import type { WebhookAnswer, WebhookCall } from '../../../../../src/platform/webhook-call.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { AdmissionRequest } from '../admission.ts';
import { endingSignal } from '../verbs/ending-signal.ts';
import { connectFailure, statusFailure } from './call-failure.ts';
import { readReview, type ReviewAnswer } from './read-review.ts';
import type { ReviewedRequest } from './reviewed-request.ts';
import { serviceTarget } from './service-target.ts';
import type { Webhook, WebhookKind } from './webhook.ts';

/** Room for a patch of the largest object. */
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
  const told = (why: string): { readonly why: string } => ({ why: `Post "${url}": ${why}` });
  if (typeof connectTo === 'string') return told(connectTo);
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
    if (signal.aborted) return told('context canceled');
    return told(end.aborted ? 'context deadline exceeded' : connectFailure(error, url));
  } finally {
    end.abort();
  }
}

interface Target {
  readonly url: string;
  /** A text says why nowhere. */
  readonly connectTo: { readonly host: string; readonly port: number } | null | string;
}

/** The time that is left is told in the query: who answers routes by the path alone. */
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
