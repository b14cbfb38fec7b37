/** The fault schedules of test/cluster without a cluster, against a small server of our own. */
import { describe, it } from 'vitest';

import { makeKubeClient } from '../../src/kube/make-client.ts';
import { nodeHttpTransport } from '../../src/platform/node-http-transport.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { runSchedule } from '../cluster/watch-schedule.ts';
import { startWatchServer } from '../fixtures/watch-server.ts';

const SEEDS = Array.from({ length: 8 }, (_, index) => index + 101);

describe('the view is the list after any schedule of faults', () => {
  it.concurrent.for(SEEDS)('seed %i', async (seed, { expect }) => {
    const server = await startWatchServer();
    const transport = nodeHttpTransport({ server: server.url });
    try {
      const client = makeKubeClient({
        transport,
        platform: nodePlatform,
        userAgent: 'lifehook-test',
        random: () => 0.5,
      });
      const to = { server: server.url };
      const result = await runSchedule({ server: to, client, namespace: 'n', seed });
      expect(result.view).toEqual(result.listed);
      expect(result.listed.length).toBeGreaterThan(0);
      expect(result.violations).toEqual([]);
    } finally {
      transport.close();
      server.close();
    }
  });
});
