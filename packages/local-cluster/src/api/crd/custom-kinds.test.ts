import { afterEach, beforeEach, expect, it } from 'vitest';

import { eventually } from '../../../../../test/fixtures/api-cases/eventually.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { ApiStand } from '../../../test/api-stand.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

let stand: ApiStand;

beforeEach(async () => {
  stand = await ApiStand.open();
});

afterEach(async () => {
  await stand.close();
});

const definition = (plural: string, finalizers: readonly string[]): JsonObject => ({
  metadata: { name: `${plural}.example.com`, finalizers: [...finalizers] },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, kind: 'Dog' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object' } },
      },
    ],
  },
});

const conditionsOf = async (name: string): Promise<unknown> => {
  const { body } = await stand.call(`${DEFINITIONS}/${name}.example.com`);
  return (body['status'] as JsonObject | undefined)?.['conditions'];
};

it('never serves a definition that was deleted before its names were accepted', async () => {
  await stand.call(DEFINITIONS, { method: 'POST', body: definition('dogs', []) });
  const served = async (plural: string): Promise<number> =>
    (await stand.ask(`/apis/example.com/v1/namespaces/default/${plural}`)).status;
  await eventually('the first kind is served', async () => (await served('dogs')) === 200);
  const hounds = definition('hounds', ['example.com/kept']);
  await stand.call(DEFINITIONS, { method: 'POST', body: hounds });
  const refused = expect.arrayContaining([
    expect.objectContaining({ type: 'NamesAccepted', status: 'False' }),
  ]) as unknown;
  await expect.poll(() => conditionsOf('hounds')).toEqual(refused);
  await stand.call(`${DEFINITIONS}/hounds.example.com`, { method: 'DELETE' });
  const ended = expect.arrayContaining([
    expect.objectContaining({ type: 'Terminating', status: 'False' }),
  ]) as unknown;
  await expect.poll(() => conditionsOf('hounds')).toEqual(ended);
  expect(await served('hounds')).toBe(404);
  const { body } = await stand.call('/apis/example.com/v1');
  expect(body['resources']).toHaveLength(1);
});
