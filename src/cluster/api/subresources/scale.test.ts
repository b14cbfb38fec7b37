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
  it('that is not there is named as a scale', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments/none/scale';
    expect(await stand.call(path)).toMatchObject({
      status: 404,
      body: {
        message: 'deployments/scale.apps "none" not found',
        details: { name: 'none', group: 'apps', kind: 'deployments/scale' },
      },
    });
  });
});
