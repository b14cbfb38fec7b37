/**
 * Custom kinds: cases where the local cluster is newer than the real one in the tests, or differs from it on purpose.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  conditions,
  create,
  definition,
  definitionPath,
  DEFINITIONS,
  establish,
  objectsOf,
  OPEN,
  specSchema,
  widget,
} from '../fixtures/api-cases/custom-world.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { ask, install, MERGE, type RawWorld, rule } from '../fixtures/api-cases/raw-world.ts';
import { jsonPatch, WebhookServer } from '../fixtures/webhook-server.ts';
import { ApiStand } from '../../packages/local-cluster/src/testing.ts';

let stand: ApiStand;
let webhooks: WebhookServer;
let world: RawWorld;

beforeEach(async () => {
  stand = await ApiStand.open();
  webhooks = await WebhookServer.open();
  world = {
    transport: stand.transport,
    webhooks,
    namespace: 'default',
  };
  const body = { metadata: { labels: { case: 'default' } } };
  await ask(world, ['PATCH', '/api/v1/namespaces/default'], { body, type: MERGE });
});

afterEach(async () => {
  await stand.close();
  await webhooks.close();
});

const schema = { openAPIV3Schema: OPEN };
const two = [
  { name: 'v1', served: true, storage: true, schema },
  { name: 'v2', served: true, storage: false, schema },
];

describe('a custom kind of the local cluster', () => {
  it('applies its CEL rules from its first object on, and refuses a definition with bad rules', async () => {
    const rules = (text: string): object => ({ 'x-kubernetes-validations': [{ rule: text }] });
    const size = { size: { type: 'integer' } };
    const bad = definition(world, { schema: specSchema(size, { ...rules('self.nothing >') }) });
    const refused = await ask(world, ['POST', DEFINITIONS], { body: bad });
    expect([refused.code, refused.body['reason']]).toEqual([422, 'Invalid']);
    await establish(world, { schema: specSchema(size, { ...rules('self.size < 10') }) });
    const { body } = await create(world, 'a', { spec: { size: 12 } });
    expect(body['message']).toContain('failed rule: self.size < 10');
  });

  it('ends its watches when its definition is deleted', async () => {
    await establish(world);
    const path = `${objectsOf(world)}?watch=true`;
    const { body } = await stand.ask(path);
    if (typeof body === 'string') throw new Error(body);
    const ended = (async () => {
      for await (const piece of body) expect(piece).toBeDefined();
      return true;
    })();
    await ask(world, ['DELETE', definitionPath(world)]);
    expect(await ended).toBe(true);
  });

  it('is stored in its storage version, also while it is terminating', async () => {
    await establish(world, { versions: two });
    const metadata = { name: 'a', finalizers: ['example.com/test'] };
    const path = objectsOf(world, 'widgets', 'v2');
    const apiVersion = 'default.example.com/v2';
    await ask(world, ['POST', path], { body: { ...widget(world, 'a'), apiVersion, metadata } });
    await ask(world, ['DELETE', `${path}/a`]);
    const [stored] = stand.store.list('widgets.default.example.com');
    expect(stored?.object).toMatchObject({
      apiVersion: 'default.example.com/v1',
      metadata: { deletionTimestamp: expect.any(String) },
    });
  });

  it('is not served with a conversion webhook, and its condition says why', async () => {
    const conversion = {
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://127.0.0.1:1/x' }, conversionReviewVersions: ['v1'] },
    };
    const body = definition(world, { versions: two, spec: { conversion } });
    await ask(world, ['POST', DEFINITIONS], { body });
    const seen = await eventually(
      'it is judged',
      async () => (await conditions(world))['Established'],
    );
    expect(seen).toMatch(/^False NotAccepted: the local cluster calls no conversion webhooks/);
    expect((await ask(world, ['GET', objectsOf(world)])).code).toBe(404);
  });

  it('is sent to a webhook for another version in that version, and its patch is applied', async () => {
    await establish(world, { versions: two });
    webhooks.reply('/v2', () => jsonPatch({ op: 'add', path: '/added', value: 'x' }));
    const rules = [rule('widgets', ['CREATE'], { group: 'default.example.com', version: 'v2' })];
    const name = 'v2.case.example.com';
    await install(world, 'mutating', [{ name, rules, clientConfig: webhooks.client('/v2') }]);
    const made = await create(world, 'a');
    expect(made.body).toMatchObject({ apiVersion: 'default.example.com/v1', added: 'x' });
    expect(webhooks.asked('/v2')[0]?.request).toMatchObject({
      kind: { version: 'v2' },
      requestKind: { version: 'v1' },
      object: { apiVersion: 'default.example.com/v2' },
    });
  });

  it('can be selected by its selectableFields', async () => {
    await establish(world, {
      version: { selectableFields: [{ jsonPath: '.spec.color' }] },
      schema: specSchema({ color: { type: 'string' } }),
    });
    await create(world, 'a', { spec: { color: 'red' } });
    await create(world, 'b', { spec: { color: 'blue' } });
    const { body } = await ask(world, [
      'GET',
      `${objectsOf(world)}?fieldSelector=spec.color%3Dblue`,
    ]);
    const items = body['items'] as { metadata: { name: string } }[];
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['b']);
  });
});

describe('a webhook of the local cluster with conditions', () => {
  it('is called when they hold, and its failure policy decides when they fail to evaluate', async () => {
    const hook = (short: string, expression: string, failurePolicy: string): object => ({
      name: `${short}.case.example.com`,
      clientConfig: webhooks.client(`/${short}`),
      failurePolicy,
      matchConditions: [{ name: 'c', expression }],
    });
    await install(world, 'validating', [
      { ...hook('yes', 'object.metadata.name == "a"', 'Fail') },
      { ...hook('no', 'object.metadata.name == "b"', 'Fail') },
      { ...hook('ignored', 'object.data.x == "b"', 'Ignore') },
    ]);
    const path = '/api/v1/namespaces/default/configmaps';
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    expect((await ask(world, ['POST', path], { body })).code).toBe(201);
    const count = (short: string): number => webhooks.asked(`/${short}`).length;
    expect([count('yes'), count('no'), count('ignored')]).toEqual([1, 0, 0]);
    await install(world, 'validating', [{ ...hook('failing', 'object.data.x == "b"', 'Fail') }]);
    const refused = await ask(world, ['POST', path], {
      body: { ...body, metadata: { name: 'b' } },
    });
    expect([refused.code, refused.body['reason']]).toEqual([403, 'Forbidden']);
  });
});
