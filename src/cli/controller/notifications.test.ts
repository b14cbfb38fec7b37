import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  type NotificationReceiver,
  openNotificationReceiver,
  SECRET,
} from '../../../test/fixtures/notification-receiver.ts';
import { SimBench } from '../../../test/sim/controller/sim-bench.ts';
import { configMaps } from '../../kube/resources.ts';
import type { Message } from '../../observe/notifications/message.ts';
import type { DeliveryRecord } from '../../observe/notifications/notifier.ts';
import { type Receiver, receiverOf } from '../../observe/notifications/receiver.ts';
import { deliveryRecord, postNotification } from './notifications.ts';

const metadata = { namespace: 'hooks', name: 'lifehook-notifications' };
let bench: SimBench;
let record: DeliveryRecord;

beforeEach(() => {
  bench = new SimBench();
  record = deliveryRecord(bench.client, 'hooks');
});

it('loads the newest record that was saved', async () => {
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

const message: Message = {
  id: '0123456789abcdef0123456789abcdef',
  type: 'thaw.overdue',
  source: '/clusters/berlin',
  subject: 'shop/h/db-0/db',
  atMs: Date.parse('2026-01-01T00:00:00Z'),
  state: 'open',
  problem: 'thaw/u/db-0/db',
  text: 'The thaw is overdue: „lock“.',
  event: { lifecycle: 'snapshot', target: { namespace: 'shop' }, point: null, run: 'shop/h' },
};

let server: NotificationReceiver;
let receiver: Receiver;
const post = (to: Receiver = receiver): ReturnType<typeof postNotification> =>
  postNotification(to, message, new AbortController().signal);

beforeEach(async () => {
  server = await openNotificationReceiver();
  receiver = receiverOf({ url: server.url, secret: SECRET }, 'test');
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
});

it('sends a CloudEvent that a library of Standard Webhooks verifies (ENG-N3)', async () => {
  expect(await post()).toEqual({ kind: 'taken' });
  expect(server.invalid).toEqual([]);
  const [{ headers, body }] = server.taken as [(typeof server.taken)[0]];
  expect(headers).toMatchObject({
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': message.id,
  });
  expect(headers).not.toHaveProperty('authorization');
  expect(JSON.parse(body)).toEqual({
    specversion: '1.0',
    id: message.id,
    source: '/clusters/berlin',
    type: 'dev.lifehook.thaw.overdue',
    subject: 'shop/h/db-0/db',
    time: '2026-01-01T00:00:00.000Z',
    datacontenttype: 'application/json',
    data: {
      state: 'open',
      problem: 'thaw/u/db-0/db',
      message: message.text,
      lifecycle: 'snapshot',
      target: { namespace: 'shop' },
      point: null,
      run: 'shop/h',
    },
  });
});

it('signs with each key, so that a receiver can change its key', async () => {
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const both = receiverOf({ url: server.url, secret: `${other} ${SECRET}` }, 'test');
  expect(await post(both)).toEqual({ kind: 'taken' });
  const wrong = receiverOf({ url: server.url, secret: other }, 'test');
  await post(wrong);
  expect([server.taken.length, server.invalid.length]).toEqual([1, 1]);
});

it('sends the header Authorization if there is one', async () => {
  const values = { url: server.url, secret: SECRET, authorization: 'Bearer t' };
  await post(receiverOf(values, 'test'));
  expect(server.taken[0]?.headers).toMatchObject({ authorization: 'Bearer t' });
});

describe('the answer', () => {
  it.each([
    [400, 'refused'],
    [413, 'refused'],
    [401, 'busy'],
    [404, 'busy'],
    [429, 'busy'],
    [503, 'busy'],
  ])('%d is "%s"', async (status, kind) => {
    server.answer(status);
    const { host } = new URL(server.url);
    expect(await post()).toEqual({ kind, why: `${host} answers ${status}` });
  });

  it('that redirects is not followed (ENG-N3)', async () => {
    await using elsewhere = await openNotificationReceiver();
    server.answer(307, { location: elsewhere.url });
    expect(await post()).toMatchObject({ kind: 'busy' });
    expect(elsewhere.taken).toEqual([]);
  });

  it('that never comes is called off', async () => {
    server.answer('hang');
    const stopping = new AbortController();
    const posted = postNotification(receiver, message, stopping.signal);
    await server.until(() => true);
    stopping.abort();
    expect(await posted).toMatchObject({ kind: 'busy' });
  });
});

it('never names the path of the address, which may be a secret (ENG-N3)', async () => {
  await server[Symbol.asyncDispose]();
  const answer = await post();
  expect(answer).toEqual({ kind: 'busy', why: `${new URL(server.url).host}: ECONNREFUSED` });
  expect(JSON.stringify(answer)).not.toContain('path-secret');
});
