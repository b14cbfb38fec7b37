import type { AttemptRequest } from '../engine/act.ts';
import type { AttemptResult } from '../model/attempt.ts';
import { isExpected, parseExpectedStatus } from '../model/expected-status.ts';
import type { HttpGetHandler } from '../model/hook.ts';
import { makeMasker, secretValues } from '../model/secrets.ts';
import type { HttpAnswer, Platform } from '../platform/platform.ts';
import { runBounded } from './bounded-work.ts';
import type { Verdict } from './bounded-work.ts';
import { tailUnitsMax } from './output-tail.ts';

/**
 * One GET, judged like a probe of Kubernetes. Redirects on the same host are followed, and a status from 200 to 399 is
 * a success. A redirect to another host is not followed; it is a success with a warning. With `expect`, a status in its
 * list ends the request at once, and only such a status is a success. With "any", every response after redirects is a
 * success, as for lifecycle hooks of the kubelet. The certificate of an HTTPS server is not verified, as the kubelet
 * does not.
 */
export function runHttpGet(
  handler: HttpGetHandler,
  request: AttemptRequest,
  platform: Pick<Platform, 'clock' | 'timers' | 'network'>,
): Promise<AttemptResult> {
  const headers = headersOf(handler);
  const secrets = secretValues(headers).flatMap((value) => [value, withoutScheme(value)]);
  return runBounded(request, platform, {
    what: `GET ${originOf(handler)}${handler.path.replace(/[?#].*$/s, '')}`,
    masker: makeMasker([...(request.secrets ?? []), ...secrets]),
    run: async (signal, output) => {
      const end = await follow(handler, (url) =>
        platform.network.httpGet({
          url,
          headers,
          bodyLimitBytes: tailUnitsMax,
          verifyCertificate: false,
          signal,
        }),
      );
      output.add('stdout', end.answer.body, end.answer.bodyBytes);
      return judge(handler, end);
    },
  });
}

/** Maximum number of requests, redirects included; the same limit as in Go, and so in Kubernetes. */
const requestsMax = 10;
const redirectStatus = [301, 302, 303, 307, 308];

interface End {
  readonly answer: HttpAnswer;
  /** The reason why a redirect was not followed; absent: there was none, or it was followed. */
  readonly unfollowed?: string;
}

async function follow(
  handler: HttpGetHandler,
  get: (url: string) => Promise<HttpAnswer>,
): Promise<End> {
  // Joined as text: the kubelet treats a path such as //host/x as a path, but `new URL('//host/x', base)` would change
  // the host.
  const first = new URL(`${originOf(handler)}${handler.path.replace(/^(?!\/)/, '/')}`);
  let url = first;
  for (let count = 1; ; count += 1) {
    const answer = await get(url.href);
    const { status, location } = answer;
    if (accepts(handler, status) || !redirectStatus.includes(status)) return { answer };
    if (location === null) return { answer, unfollowed: 'it names no location' };
    url = new URL(location, url);
    if (url.hostname !== first.hostname) {
      return { answer, unfollowed: `it redirects to another host, ${url.hostname}` };
    }
    if (count === requestsMax) throw new Error(`stopped after ${requestsMax} redirects`);
  }
}

function accepts({ expect }: HttpGetHandler, status: number): boolean {
  if (expect === 'any') return !redirectStatus.includes(status);
  return expect !== undefined && isExpected(status, parseExpectedStatus(expect) ?? []);
}

function judge(handler: HttpGetHandler, { answer, unfollowed }: End): Verdict {
  const { status } = answer;
  const succeeded = handler.expect === 'any' || isSuccess(handler, status);
  const required = handler.expect ?? '200-399';
  const parts = [
    `was answered with ${status}`,
    succeeded ? '' : `, but ${required} is required`,
    unfollowed === undefined ? '' : `; warning: the redirect was not followed, since ${unfollowed}`,
    answer.bodyTruncated ? `; of the body only the first ${answer.bodyBytes} bytes were read` : '',
  ];
  return { succeeded, reason: parts.join('') };
}

function isSuccess(handler: HttpGetHandler, status: number): boolean {
  return handler.expect === undefined ? status >= 200 && status < 400 : accepts(handler, status);
}

function originOf({ scheme, host, port }: HttpGetHandler): string {
  return `${scheme.toLowerCase()}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * The headers of a request. A header may occur several times, and a Host header replaces the host of the URL, as with
 * the kubelet.
 */
function headersOf({ httpHeaders }: HttpGetHandler): Record<string, string> {
  const merged = new Map<string, { name: string; value: string }>();
  for (const { name, value } of httpHeaders) {
    const before = merged.get(name.toLowerCase());
    const joined = before === undefined ? value : `${before.value}, ${value}`;
    merged.set(name.toLowerCase(), { name, value: joined });
  }
  for (const header of defaultHeaders) {
    if (!merged.has(header.name.toLowerCase())) merged.set(header.name.toLowerCase(), header);
  }
  return Object.fromEntries([...merged.values()].map(({ name, value }) => [name, value]));
}

const defaultHeaders = [
  { name: 'User-Agent', value: 'lifehook' },
  { name: 'Accept', value: '*/*' },
];

/** The value without its scheme: the secret of "Bearer abc" is "abc", which may also be printed alone. */
function withoutScheme(value: string): string {
  return value.slice(value.lastIndexOf(' ') + 1);
}
