/** Tests POD-K20: an HTTPS hook connects to a server that speaks plain HTTP. */
import { describe, expect, test } from 'vitest';

import { PodBench } from '../../../test/sim/pod/pod-bench.ts';
import type { HttpAnswer, HttpRequest } from '../../platform/platform.ts';

const ANSWER: HttpAnswer = {
  status: 200,
  location: null,
  body: '',
  bodyBytes: 0,
  bodyTruncated: false,
};
const failing = (code: string): Error => Object.assign(new Error(code), { code });

interface Setting {
  readonly code?: string;
  readonly scheme?: string;
  readonly port?: number;
  readonly point?: 'postStart' | 'preStop';
}

/** The requests of a hook whose first request fails with this code, and the events of its pod. */
async function asked({
  code = 'EPROTO',
  scheme = 'HTTPS',
  port = 8443,
  point = 'preStop',
}: Setting = {}): Promise<{
  readonly requests: readonly HttpRequest[];
  readonly events: string;
}> {
  const requests: HttpRequest[] = [];
  const httpHeaders = [
    { name: 'AUTHORIZATION', value: 'Bearer token' },
    { name: 'X-Kept', value: '1' },
  ];
  const handler = { httpGet: { port, path: '/stop', scheme, httpHeaders } };
  const bench = new PodBench({
    containers: [{ name: 'web', lifecycle: { [point]: handler } }],
    httpGet: (request) => {
      requests.push(request);
      return requests.length === 1 ? Promise.reject(failing(code)) : Promise.resolve(ANSWER);
    },
  });
  await bench.pass(0.3);
  if (point === 'preStop') bench.delete(30);
  await bench.pass(0.3);
  return { requests, events: bench.events.join('\n') };
}

describe('an HTTPS hook whose server speaks plain HTTP', () => {
  test.each(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO'])(
    'POD-K20: is sent again over HTTP after %s, without its credentials, and with an event',
    async (code) => {
      const { requests, events } = await asked({ code });
      expect(requests.map(({ url }) => url)).toEqual([
        'https://127.10.0.1:8443/stop',
        'http://127.10.0.1:8443/stop',
      ]);
      expect(requests[0]?.headers).toMatchObject({ AUTHORIZATION: 'Bearer token', 'X-Kept': '1' });
      expect(requests[1]?.headers).toMatchObject({ 'X-Kept': '1' });
      expect(
        Object.keys(requests[1]?.headers ?? {})
          .join()
          .toLowerCase(),
      ).not.toContain('authorization');
      expect(events).toContain(
        'LifecycleHTTPFallback web: preStop: the server answered plain HTTP to an HTTPS request; the request was sent again over HTTP',
      );
      expect(events).not.toContain('FailedPreStopHook');
    },
  );

  test.each([
    [443, 'http://127.10.0.1:443/stop'],
    [80, 'http://127.10.0.1/stop'],
  ])('POD-K20: is sent again to the same port %i', async (port, url) => {
    expect((await asked({ port })).requests[1]?.url).toBe(url);
  });

  test('POD-K20: of postStart, too', async () => {
    const { requests, events } = await asked({ point: 'postStart' });
    expect(requests).toHaveLength(2);
    expect(events).toContain(
      'LifecycleHTTPFallback web: postStart: the server answered plain HTTP',
    );
  });

  test.each([
    ['after a refused connection', { code: 'ECONNREFUSED' }],
    ['after a certificate that cannot be trusted', { code: 'CERT_HAS_EXPIRED' }],
    ['if it asked over HTTP', { scheme: 'HTTP' }],
  ])('fails %s, without a second request', async (_, setting) => {
    const { requests, events } = await asked(setting);
    expect(requests).toHaveLength(1);
    expect(events).toContain('FailedPreStopHook web: PreStopHook failed: ');
    expect(events).not.toContain('LifecycleHTTPFallback');
  });
});
