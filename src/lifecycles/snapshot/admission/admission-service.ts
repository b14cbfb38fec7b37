/**
 * The webhook as a service of an HTTPS server: one path, AdmissionReview in and out. It keeps nothing
 * and asks nobody, so an answer takes a moment. `nodeHttpServer` serves it, with a certificate for the
 * name that `webhookConfiguration` gives.
 */
import type { JsonObject } from '../../../kube/object.ts';
import type {
  HttpService,
  HttpServiceAnswer,
  HttpServiceRequest,
} from '../../../platform/http-server.ts';
import type { ResolveRecipe } from '../schema/check-recipe.ts';
import { type AdmissionReview, review } from './review.ts';
import { WEBHOOK_PATH } from './webhook-configuration.ts';

export function admissionService(resolveRecipe: ResolveRecipe): HttpService {
  return {
    refuse: ({ method, path }) => {
      if (path !== WEBHOOK_PATH) return plain(404, `only ${WEBHOOK_PATH} is here`);
      return method === 'POST' ? null : plain(405, 'POST an AdmissionReview');
    },
    isBinary: () => false,
    handle: async (request) => answer(request, resolveRecipe),
    upgrade: async () => ({ kind: 'refused', answer: plain(400, 'POST an AdmissionReview') }),
    tooLarge: (limitBytes) => plain(413, `at most ${limitBytes} bytes`),
  };
}

function answer({ body }: HttpServiceRequest, resolveRecipe: ResolveRecipe): HttpServiceAnswer {
  const read = readReview(body);
  if (read === null) return plain(400, 'this is no AdmissionReview of admission.k8s.io/v1');
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(review(read, resolveRecipe)),
  };
}

const VERSIONS: readonly unknown[] = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];

/** null: it is none. */
function readReview(body: string): AdmissionReview | null {
  const read = parsed(body);
  if (!isObject(read) || !VERSIONS.includes(read['apiVersion'])) return null;
  const { request } = read;
  if (!isObject(request) || typeof request['uid'] !== 'string') return null;
  const { kind, object = null, oldObject = null } = request;
  const whole = isObject(kind) && isObjectOrNull(object) && isObjectOrNull(oldObject);
  return whole ? (read as unknown as AdmissionReview) : null;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isObjectOrNull(value: unknown): boolean {
  return value === null || isObject(value);
}

function plain(status: number, text: string): HttpServiceAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}
