/**
 * Calls the admission webhooks that match a request.
 *
 * - Mutating webhooks run in sequence, ordered by the names of their configurations. They run a second time if they
 *   request it.
 * - Validating webhooks run in parallel.
 * - A webhook that cannot be called refuses the request, unless its failure policy is Ignore.
 * - No webhook is called for webhook configurations: otherwise a broken one could not be deleted.
 * - A dry run is refused if a webhook with side effects matches it.
 */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { decodeObject } from '../../objects/decode.ts';
import { jsonEqual } from '../../objects/patch/json-value.ts';
import type { Admission, AdmissionRequest } from '../admission.ts';
import { badRequest, internalError } from '../status.ts';
import { denial, patched, type ReviewAnswer } from './read-review.ts';
import { callWebhook, type WebhookWorld } from './call-webhook.ts';
import { converted, type ReviewedRequest } from './reviewed-request.ts';
import { type Cluster, shouldCall } from './should-call.ts';
import { type Webhook, type WebhookKind, webhooksOf } from './webhook.ts';

export type WebhookAdmissionOptions = WebhookWorld & Cluster;

export function webhookAdmission(world: WebhookAdmissionOptions): Admission {
  return {
    mutate: async (request) => (await mutate(world, request)) ?? {},
    validate: async (request) => {
      // For a deletion only `validate` is called. Mutating webhooks may refuse it too, so they are called here.
      if (request.object === null) await mutate(world, request);
      await validate(world, request);
    },
  };
}

const CONFIGURATIONS = 'admissionregistration.k8s.io';

async function mutate(
  world: WebhookAdmissionOptions,
  request: AdmissionRequest,
): Promise<JsonObject | null> {
  if (request.definition.group === CONFIGURATIONS) return request.object;
  const webhooks = webhooksOf(world.store, 'mutating');
  const reinvocation = new Reinvocation();
  const round = { world, webhooks, reinvocation, request };
  const object = await mutateOnce(round, () => true);
  if (!reinvocation.wanted) return object;
  return mutateOnce({ ...round, request: { ...request, object } }, ({ id }) =>
    reinvocation.includes(id),
  );
}

interface Round {
  readonly world: WebhookAdmissionOptions;
  readonly webhooks: readonly Webhook[];
  readonly reinvocation: Reinvocation;
  readonly request: AdmissionRequest;
}

async function mutateOnce(
  { world, webhooks, reinvocation, request }: Round,
  takesPart: (webhook: Webhook) => boolean,
): Promise<JsonObject | null> {
  let { object } = request;
  for (const webhook of webhooks) {
    const now = { ...request, object };
    const reviewed = await shouldCall(webhook, now, world);
    // `shouldCall` runs after each patch of this round, because a patch can change which webhooks match.
    if (reviewed === null || !takesPart(webhook)) continue;
    const answer = await ask(world, 'mutating', { webhook, reviewed, request });
    const changed =
      answer === null ? object : patchedBy(webhook, { answer, reviewed, request: now });
    if (changed !== null && changed !== object && !jsonEqual(changed, object ?? undefined)) {
      object = changed;
      reinvocation.changed();
    }
    reinvocation.asked(webhook);
  }
  return object;
}

/** Returns the patched object in the version of the request, with the defaults of its kind. */
function patchedBy(
  { name }: Webhook,
  {
    answer,
    reviewed,
    request,
  }: {
    readonly answer: ReviewAnswer;
    readonly reviewed: ReviewedRequest;
    readonly request: AdmissionRequest;
  },
): JsonObject | null {
  const changed = patched(name, reviewed.object, answer.patch);
  if (changed === null || changed === reviewed.object) return request.object;
  const { group, version, kind, type } = request.objectKind ?? reviewed.as;
  const decoded = decodeObject({
    body: changed,
    text: answer.patch,
    group,
    version,
    kind,
    type,
    fieldValidation: 'Ignore',
  });
  if (decoded.kind === 'failed') throw internalError(decoded.message);
  if (request.objectKind !== undefined) return decoded.object;
  const { definition } = request;
  const filled = reviewed.as.defaults(decoded.object);
  return converted(request, filled, { from: reviewed.as, to: definition });
}

async function validate(world: WebhookAdmissionOptions, request: AdmissionRequest): Promise<void> {
  if (request.definition.group === CONFIGURATIONS) return;
  const asked: { readonly webhook: Webhook; readonly reviewed: ReviewedRequest }[] = [];
  for (const webhook of webhooksOf(world.store, 'validating')) {
    const reviewed = await shouldCall(webhook, request, world);
    if (reviewed !== null) asked.push({ webhook, reviewed });
  }
  const outcomes = await Promise.allSettled(
    asked.map((one) => ask(world, 'validating', { ...one, request })),
  );
  const refused = outcomes.find((outcome) => outcome.status === 'rejected');
  if (refused !== undefined) throw refused.reason;
}

/**
 * Returns the webhook's answer; null if the call failed and the failure policy is Ignore. Throws if the webhook
 * refuses.
 */
async function ask(
  world: WebhookAdmissionOptions,
  kind: WebhookKind,
  about: {
    readonly webhook: Webhook;
    readonly reviewed: ReviewedRequest;
    readonly request: AdmissionRequest;
  },
): Promise<ReviewAnswer | null> {
  const { webhook, reviewed, request } = about;
  if (request.dryRun && !webhook.dryRunSafe) {
    throw badRequest(`admission webhook "${webhook.name}" does not support dry run`);
  }
  const outcome = await callWebhook(world, { kind, webhook, reviewed, signal: request.signal });
  if (outcome.kind === 'failed') {
    if (webhook.ignoreFailures) return null;
    throw internalError(`failed calling webhook "${webhook.name}": ${outcome.why}`);
  }
  for (const warning of outcome.answer.warnings) request.warn(warning);
  if (!outcome.answer.allowed) throw denial(webhook.name, outcome.answer.status);
  return outcome.answer;
}

/**
 * Finds the mutating webhooks that must be called a second time, because another webhook changed the object after their
 * call. There is only one such second round; it includes no webhook that was not called in the first round.
 */
class Reinvocation {
  /** Ids of the webhooks that were called since the last change and want a second call after a change. */
  readonly #asked = new Set<string>();
  readonly #again = new Set<string>();

  get wanted(): boolean {
    return this.#again.size > 0;
  }

  /** Marks earlier webhooks for the second round. Call it when a webhook has changed the object. */
  changed(): void {
    for (const id of this.#asked) this.#again.add(id);
    this.#asked.clear();
  }

  asked({ id, reinvoke }: { readonly id: string; readonly reinvoke: boolean }): void {
    if (reinvoke) this.#asked.add(id);
  }

  includes(id: string): boolean {
    return this.#again.has(id);
  }
}
