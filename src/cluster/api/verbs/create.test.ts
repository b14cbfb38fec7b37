import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ApiStand } from '../../../../test/sim/cluster/api-stand.ts';

let stand: ApiStand;

beforeEach(async () => {
  stand = await ApiStand.open();
});

afterEach(async () => {
  await stand.close();
});

describe('a new object without a name', () => {
  const create = (plural: string, kind: string): ReturnType<ApiStand['call']> =>
    stand.call(`/api/v1/namespaces/default/${plural}`, {
      method: 'POST',
      body: {
        apiVersion: 'v1',
        kind,
        metadata: {},
        ...(kind === 'LimitRange' ? { spec: {} } : {}),
      },
    });

  it('is refused, except for a LimitRange, which gets a generated name', async () => {
    expect(await create('configmaps', 'ConfigMap')).toMatchObject({ status: 422 });
    const { status, body } = await create('limitranges', 'LimitRange');
    expect(status).toBe(201);
    expect(body).toHaveProperty('metadata.name', expect.stringMatching(/^[0-9a-f-]{36}$/));
  });
});
