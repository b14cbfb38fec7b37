/**
 * Two replicas start at the same moment. One overtakes the other after the other's first request, then after its
 * second, and so on.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { Turns } from '../../../test/fixtures/turns.ts';
import { isVerified, WEBHOOK_CONFIGURATIONS } from '../../../test/fixtures/webhook-replicas.ts';
import { ApiStand } from '../../../packages/local-cluster/src/testing.ts';
import type { KubeClient } from '../../kube/client.ts';
import { makeKubeClient } from '../../kube/make-client.ts';
import { secrets } from '../../kube/resources.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { sleep } from '../../platform/sleep.ts';
import { startWebhook, type Webhook } from './webhook.ts';

const NAMESPACE = 'default';
const SECRET = { namespace: NAMESPACE, name: 'lifehook-webhook' };
let stand: ApiStand;
let client: KubeClient;

beforeAll(async () => {
  stand = await ApiStand.open();
  const { transport } = stand;
  const random = (): number => 0.5;
  client = makeKubeClient({ transport, platform: nodePlatform, userAgent: 'test', random });
});

afterAll(async () => {
  await stand.close();
});

function start(through: KubeClient): Promise<Webhook> {
  const address = { host: '127.0.0.1', port: 0 };
  return startWebhook({ client: through, namespace: NAMESPACE, address });
}

interface Overtaken {
  readonly webhooks: readonly Webhook[];
  /** True: the slow replica was done before it had used up its requests. */
  readonly isLast: boolean;
}

/** Starts a slow replica, pauses it after some requests, starts a second one, and then resumes the first. */
async function overtake(requests: number, between: () => Promise<unknown>): Promise<Overtaken> {
  const turns = new Turns();
  let isDone = false;
  const slow = start(turns.of('slow', client)).finally(() => {
    isDone = true;
  });
  let isLast = false;
  for (let made = 0; made < requests; made += 1) isLast = !(await turns.next('slow', () => isDone));
  await between();
  const fast = await start(client);
  turns.release();
  return { webhooks: [await slow, fast], isLast };
}

/** For each webhook, whether its certificate is verified. Resolves once all webhooks count as trusted. */
async function whenTrusted(webhooks: readonly Webhook[]): Promise<boolean[]> {
  for (;;) {
    const trusted = await Promise.all(webhooks.map((one) => one.isTrusted()));
    if (!trusted.includes(false))
      return Promise.all(webhooks.map(({ port }) => isVerified(client, port)));
    await sleep(nodePlatform.timers, 1);
  }
}

async function reset(webhooks: readonly Webhook[]): Promise<void> {
  await Promise.all(webhooks.map((one) => one.close()));
  await client.delete(secrets, SECRET);
  for (const [resource, name] of WEBHOOK_CONFIGURATIONS) await client.delete(resource, { name });
}

const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  'overtakes it': async () => null,
  'overtakes it after the Secret was deleted': () =>
    client.delete(secrets, SECRET).catch(() => null),
};

it.each(Object.entries(ways))(
  'trusts both replicas from nothing, wherever another one %s',
  async (_, between) => {
    const results: boolean[][] = [];
    for (let isLast = false; !isLast;) {
      const overtaken = await overtake(results.length, between);
      ({ isLast } = overtaken);
      results.push(await whenTrusted(overtaken.webhooks));
      await reset(overtaken.webhooks);
    }
    expect(results).toEqual(results.map(() => [true, true]));
  },
);

it('is not trusted while another authority is stored, and puts its own back at once', async () => {
  const webhook = await start(client);
  expect(await webhook.isTrusted()).toBe(true);
  const [resource, name] = WEBHOOK_CONFIGURATIONS[2] ?? [];
  if (resource === undefined || name === undefined) throw new Error('no configuration');
  const body = [{ op: 'replace', path: '/webhooks/0/clientConfig/caBundle', value: btoa('other') }];
  await client.patch(resource, { name }, { type: 'json', body });
  expect(await webhook.isTrusted()).toBe(false);
  expect(await whenTrusted([webhook])).toEqual([true]);
  await reset([webhook]);
});
