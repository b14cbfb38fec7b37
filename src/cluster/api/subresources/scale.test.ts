import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ApiStand } from '../../../../test/sim/cluster/api-stand.ts';

let stand: ApiStand;

beforeEach(async () => {
  stand = await ApiStand.open();
});

afterEach(async () => {
  await stand.close();
});

describe('a scale', () => {
  it.each([
    ['deployments', 'deployments.apps "none" not found'],
    ['replicasets', 'replicasets.apps "none" not found'],
    ['statefulsets', 'statefulsets.apps "none" not found'],
  ])(
    'of a missing object in %s is refused with the message of Kubernetes',
    async (plural, message) => {
      const path = `/apis/apps/v1/namespaces/default/${plural}/none/scale`;
      expect(await stand.call(path)).toMatchObject({ status: 404, body: { message } });
    },
  );
});
