import { expect, it } from 'vitest';

import { sampleFacts } from '../../../test/fixtures/rollout-cases/sample-facts.ts';
import {
  type ScriptedAnswer,
  scriptedTransport,
} from '../../../test/fixtures/scripted-transport.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { CliCluster } from '../kube-connection.ts';
import { followRollout } from './watch.ts';

const refusal = (code: number, reason: string): ScriptedAnswer => ({
  status: code,
  body: { kind: 'Status', code, reason },
});

it.each([
  ['between two lists of it', 1],
  ['before its first list', 0],
])('ends when the Deployment was deleted %s', async (_, lists) => {
  const facts = sampleFacts({});
  let listed = 0;
  const transport = scriptedTransport(({ path }) => {
    const isDeployment = path.includes('/deployments');
    if (path.includes('sendInitialEvents')) return refusal(400, 'BadRequest');
    if (path.includes('watch=')) {
      return isDeployment ? refusal(410, 'Expired') : new Promise<never>(() => {});
    }
    const items = isDeployment && (listed += 1) <= lists ? [facts.deployment] : [];
    const others = path.includes('/deploymentlifecycles') ? [facts.lifecycle] : items;
    return { body: { metadata: { resourceVersion: '5' }, items: others } };
  });
  const connection = { transport, platform: nodePlatform, userAgent: 'test', random: () => 0 };
  const cluster = { connection, namespace: 'shop' } as unknown as CliCluster;
  const ending = new AbortController();
  const followed = followRollout(cluster, { facts, look: () => false, signal: ending.signal });
  const late = setTimeout(() => {
    ending.abort();
  }, 2_000);
  try {
    await expect(followed).rejects.toThrow(/LHR404/);
  } finally {
    clearTimeout(late);
  }
});
