import { beforeEach, expect, it } from 'vitest';

import { SimBench } from '../../../test/sim/controller/sim-bench.ts';
import { configMaps } from '../../kube/resources.ts';
import type { DeliveryRecord } from '../../observe/notifications/notifier.ts';
import { deliveryRecord } from './delivery-record.ts';

const metadata = { namespace: 'hooks', name: 'lifehook-notifications' };
let bench: SimBench;
let record: DeliveryRecord;

beforeEach(() => {
  bench = new SimBench();
  record = deliveryRecord(bench.client, 'hooks');
});

it('loads what was saved last', async () => {
  expect(await bench.until(record.load())).toBeNull();
  await bench.until(record.save({ ids: [], open: {} }));
  const facts = { ids: ['a', 'b'], open: { p: 'a' } };
  await bench.until(record.save(facts));
  expect(await bench.until(record.load())).toEqual(facts);
});

it.each(['', '{', 'null', '{"ids": 1, "open": {}}', '{"ids": [], "open": null}'])(
  'takes %j for no record',
  async (text) => {
    const data = { 'delivered.json': text };
    await bench.until(bench.client.create(configMaps, { metadata, data }));
    expect(await bench.until(record.load())).toBeNull();
    await bench.until(record.save({ ids: ['a'], open: {} }));
    expect(await bench.until(record.load())).toEqual({ ids: ['a'], open: {} });
  },
);

it('leaves out values of other types', async () => {
  const data = { 'delivered.json': '{"ids": ["a", 1], "open": {"p": "a", "q": {}}}' };
  await bench.until(bench.client.create(configMaps, { metadata, data }));
  expect(await bench.until(record.load())).toEqual({ ids: ['a'], open: { p: 'a' } });
});
