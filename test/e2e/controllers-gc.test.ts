import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { namespaces } from '../../src/kube/resources.ts';
import { gcCases } from '../fixtures/api-cases/gc.ts';
import { type ControllersStand, openControllers } from './controllers-stand.ts';

let stand: ControllersStand;

beforeAll(async () => {
  stand = await openControllers();
});

afterAll(async () => {
  await stand.close();
});

describe('the garbage collector of the local cluster', () => {
  for (const [index, { title, run, expected }] of gcCases.entries()) {
    it(title, async () => {
      const namespace = `gc-${index}`;
      await stand.client.create(namespaces, { metadata: { name: namespace } });
      expect(await run({ client: stand.client, namespace })).toEqual(expected);
    });
  }
});
