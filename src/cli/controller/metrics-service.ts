import type { HttpService, HttpServiceAnswer } from '../../platform/http-server.ts';
import type { SnapshotMetrics } from '../../timeline/snapshot-metrics.ts';

/** /metrics (of all, whose names differ) for a scraper, /healthz and /readyz for a kubelet. */
export function metricsService(
  metrics: readonly Pick<SnapshotMetrics, 'expose'>[],
  isReady: () => Promise<boolean>,
): HttpService {
  return {
    refuse: ({ method }) => (method === 'GET' || method === 'HEAD' ? null : plain(405, 'GET it')),
    isBinary: () => false,
    handle: async ({ path }) => {
      if (path === '/healthz') return plain(200, 'ok');
      if (path === '/readyz') {
        return (await isReady())
          ? plain(200, 'ok')
          : plain(503, 'the caches are not filled, or API servers do not trust the webhook');
      }
      if (path !== '/metrics') return plain(404, '/metrics, /healthz and /readyz are here');
      const all = await Promise.all(metrics.map(({ expose }) => expose()));
      const type = all[0]?.type ?? 'text/plain';
      const body = all.map(({ text }) => text).join('\n');
      return { status: 200, headers: { 'content-type': type }, body };
    },
    upgrade: async () => ({ kind: 'refused', answer: plain(400, 'GET it') }),
    tooLarge: (limitBytes) => plain(413, `at most ${limitBytes} bytes`),
  };
}

function plain(status: number, text: string): HttpServiceAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}
