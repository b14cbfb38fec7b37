import { describe, expect, it } from 'vitest';

import { SimBench } from '../../test/sim/controller/sim-bench.ts';
import { type Widget, widgets } from '../../test/sim/controller/sample-controller.ts';
import type { KubeClient } from '../kube/client.ts';
import { fencedClient } from './fenced-client.ts';

const key = { namespace: 'ns', name: 'w' };

function stand(mayAct: () => boolean): { bench: SimBench; client: KubeClient; object: Widget } {
  const bench = new SimBench();
  const object = bench.api.create(widgets, { metadata: key }) as Widget;
  return { bench, client: fencedClient(bench.client, mayAct), object };
}

type Write = (client: KubeClient, object: Widget) => Promise<unknown>;

const other = { metadata: { namespace: 'ns', name: 'other' } };
const writes: readonly (readonly [string, Write])[] = [
  ['create', (client) => client.create(widgets, other)],
  [
    'replace',
    (client, object) => client.replace(widgets, { ...object, spec: { size: 2 } } as Widget),
  ],
  [
    'replaceStatus',
    (client, object) => client.replaceStatus(widgets, { ...object, status: { children: 2 } }),
  ],
  [
    'patch',
    (client) =>
      client.patch(widgets, key, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } }),
  ],
  ['delete', (client) => client.delete(widgets, key)],
];

describe('the client of a process that does not lead any more', () => {
  it.each(writes)('sends no %s', async (_, write) => {
    const { bench, client, object } = stand(() => false);
    const { revision } = bench.api;
    await expect(bench.until(write(client, object))).rejects.toThrow(
      'LHK104: A write was not sent: this process is no longer the leader, or cannot prove that it is. Next: Do nothing: the next leader reconciles the object.',
    );
    expect(bench.api.revision).toBe(revision);
  });

  it.each(writes)('sends a %s while it leads, and answers with the result', async (_, write) => {
    const { bench, client, object } = stand(() => true);
    const { revision } = bench.api;
    await bench.until(write(client, object));
    expect(bench.api.revision).toBeGreaterThan(revision);
  });

  it('reads freely', async () => {
    const { bench, client } = stand(() => false);
    expect((await bench.until(client.get(widgets, key))).metadata?.name).toBe('w');
    expect((await bench.until(client.list(widgets))).items).toHaveLength(1);
  });

  it('asks before each write again', async () => {
    let leads = true;
    const { bench, client, object } = stand(() => leads);
    await bench.until(client.replaceStatus(widgets, { ...object, status: { children: 1 } }));
    leads = false;
    await expect(bench.until(client.delete(widgets, key))).rejects.toThrow('LHK104');
  });

  it('holds back an apply and a raw request that is no GET', async () => {
    const sent: string[] = [];
    const { bench } = stand(() => false);
    const raw: KubeClient = {
      ...bench.client,
      apply: () => Promise.reject(new Error('applied')),
      raw: (request) => {
        sent.push(request.method);
        return Promise.reject(new Error('sent'));
      },
    };
    const held = fencedClient(raw, () => false);
    const path = '/apis';
    await expect(held.apply(widgets, other, { fieldManager: 'm' })).rejects.toThrow('LHK104');
    await expect(held.raw({ method: 'POST', path })).rejects.toThrow('LHK104');
    await expect(held.raw({ method: 'GET', path })).rejects.toThrow('sent');
    const free = fencedClient(raw, () => true);
    await expect(free.apply(widgets, other, { fieldManager: 'm' })).rejects.toThrow('applied');
    await expect(free.raw({ method: 'POST', path })).rejects.toThrow('sent');
    expect(sent).toEqual(['GET', 'POST']);
  });
});
