import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ApiStand } from '../../../test/api-stand.ts';

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

describe('a new object with a revision', () => {
  const create = (path: string, more: object = {}): ReturnType<ApiStand['call']> =>
    stand.call(path, {
      method: 'POST',
      body: { metadata: { name: 'a', resourceVersion: '1', ...more } },
    });

  it('is refused after it was validated, also if it is there, but not in a dry run', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const message = 'resourceVersion should not be set on objects to be created';
    expect(await create(path)).toMatchObject({ status: 500, body: { message } });
    expect(await create(path, { name: 'Not_A' })).toMatchObject({ status: 422 });
    expect(await create(`${path}?dryRun=All`)).toMatchObject({ status: 201 });
    await create(path, { resourceVersion: '' });
    expect(await create(path)).toMatchObject({ status: 500, body: { message } });
  });
});
