/**
 * The webhooks as one HTTP service: one path for each, AdmissionReview in and out. `nodeHttpServer` serves it over
 * HTTPS, with a certificate for the name in the webhook configurations. API servers add a query to the path (ROLL-E27),
 * which is ignored.
 */
import { errorText } from '../../platform/error-text.ts';
import {
  type HttpService,
  type HttpServiceAnswer,
  type HttpServiceRequest,
  plainAnswer,
} from '../../platform/http-server.ts';
import type { CancelSignal } from '../../platform/platform.ts';
import { type AdmissionRequest, answerOf, readReview, type Verdict } from './admission-review.ts';

/** Judges one request. If it rejects, the webhook call fails, and the failure policy of the webhook decides. */
export type AdmissionJudge = (
  request: AdmissionRequest,
  signal: CancelSignal,
) => Verdict | Promise<Verdict>;

/** The judges of the webhooks, by path: "/validate". */
export type AdmissionRoutes = Readonly<Record<string, AdmissionJudge>>;

export function admissionService(routes: AdmissionRoutes): HttpService {
  const here = Object.keys(routes).join(', ');
  return {
    refuse: ({ method, path }) => {
      if (!Object.hasOwn(routes, path)) return plainAnswer(404, `this server has only ${here}`);
      return method === 'POST' ? null : plainAnswer(405, 'POST an AdmissionReview');
    },
    isBinary: () => false,
    handle: (request) => answer(request, routes),
    upgrade: async () => ({ kind: 'refused', answer: plainAnswer(400, 'POST an AdmissionReview') }),
    tooLarge: (limitBytes) => plainAnswer(413, `at most ${limitBytes} bytes`),
  };
}

async function answer(
  { path, body, signal }: HttpServiceRequest,
  routes: AdmissionRoutes,
): Promise<HttpServiceAnswer> {
  const review = readReview(body);
  const judge = routes[path];
  if (review === null || judge === undefined) {
    return plainAnswer(400, 'the request is not an AdmissionReview of admission.k8s.io/v1');
  }
  try {
    const verdict = await judge(review.request, signal);
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answerOf(review, verdict)),
    };
  } catch (error) {
    return plainAnswer(500, errorText(error));
  }
}
