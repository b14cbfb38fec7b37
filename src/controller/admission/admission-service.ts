/**
 * Webhooks as a service of an HTTPS server: a path for each, AdmissionReview in and out. `nodeHttpServer`
 * serves it, with a certificate for the name that the configurations give. Servers add a query to the path
 * (E27), which is not looked at.
 */
import type {
  HttpService,
  HttpServiceAnswer,
  HttpServiceRequest,
} from '../../platform/http-server.ts';
import type { CancelSignal } from '../../platform/platform.ts';
import { type AdmissionRequest, answerOf, readReview, type Verdict } from './admission-review.ts';

/** What it rejects with becomes the failure of the webhook: the failure policy decides. */
export type AdmissionJudge = (
  request: AdmissionRequest,
  signal: CancelSignal,
) => Verdict | Promise<Verdict>;

/** By path: "/validate". */
export type AdmissionRoutes = Readonly<Record<string, AdmissionJudge>>;

export function admissionService(routes: AdmissionRoutes): HttpService {
  const here = Object.keys(routes).join(', ');
  return {
    refuse: ({ method, path }) => {
      if (!Object.hasOwn(routes, path)) return plain(404, `only ${here} is here`);
      return method === 'POST' ? null : plain(405, 'POST an AdmissionReview');
    },
    isBinary: () => false,
    handle: (request) => answer(request, routes),
    upgrade: async () => ({ kind: 'refused', answer: plain(400, 'POST an AdmissionReview') }),
    tooLarge: (limitBytes) => plain(413, `at most ${limitBytes} bytes`),
  };
}

async function answer(
  { path, body, signal }: HttpServiceRequest,
  routes: AdmissionRoutes,
): Promise<HttpServiceAnswer> {
  const review = readReview(body);
  const judge = routes[path];
  if (review === null || judge === undefined) {
    return plain(400, 'this is no AdmissionReview of admission.k8s.io/v1');
  }
  try {
    const verdict = await judge(review.request, signal);
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answerOf(review, verdict)),
    };
  } catch (error) {
    return plain(500, error instanceof Error ? error.message : String(error));
  }
}

function plain(status: number, text: string): HttpServiceAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}
