import type { HttpService, HttpServiceAnswer } from '../../platform/http-server.ts';
import type { SnapshotMetrics } from '../../timeline/snapshot-metrics.ts';

/** /metrics for a scraper, /healthz and /readyz for a kubelet. */
export function metricsService(
  { expose }: Pick<SnapshotMetrics, 'expose'>,
  isReady: () => boolean,
): HttpService {
  return {
    refuse: ({ method }) => (method === 'GET' || method === 'HEAD' ? null : plain(405, 'GET it')),
    isBinary: () => false,
    handle: async ({ path }) => {
      if (path === '/healthz') return plain(200, 'ok');
      if (path === '/readyz') return isReady() ? plain(200, 'ok') : plain(503, 'caches are filled');
      if (path !== '/metrics') return plain(404, '/metrics, /healthz and /readyz are here');
      const { type, text } = await expose();
      return { status: 200, headers: { 'content-type': type }, body: text };
    },
    upgrade: async () => ({ kind: 'refused', answer: plain(400, 'GET it') }),
    tooLarge: (limitBytes) => plain(413, `at most ${limitBytes} bytes`),
  };
}

function plain(status: number, text: string): HttpServiceAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}
