import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodeRandomness } from '../../../../../src/platform/randomness.ts';
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

describe('a new object whose namespace is deleted while a webhook reviews it', () => {
  const NAMESPACE = '/api/v1/namespaces/gone';
  let slow: ApiStand;

  const end = async (): Promise<void> => {
    await slow.call(NAMESPACE, { method: 'DELETE' });
    const body = { metadata: { name: 'gone' }, spec: { finalizers: [] } };
    await slow.call(`${NAMESPACE}/finalize`, { method: 'PUT', body });
  };

  const start = async (during: () => Promise<void>): Promise<void> => {
    slow = await ApiStand.open(nodeRandomness, {
      post: async ({ body }) => {
        await during();
        const { uid } = (JSON.parse(body) as { request: { uid: string } }).request;
        const response = { uid, allowed: true };
        const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
        return { status: 200, body: JSON.stringify(review) };
      },
      close: () => {},
    });
    const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'] };
    const webhook = {
      name: 'slow.example.com',
      clientConfig: { url: 'https://slow.example.com/' },
      rules: [{ ...rule, resources: ['configmaps'] }],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
    };
    await slow.call('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      method: 'POST',
      body: { metadata: { name: 'w' }, webhooks: [webhook] },
    });
    await slow.call('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'gone' } } });
  };

  afterEach(async () => {
    await slow.close();
  });

  const create = (): ReturnType<ApiStand['call']> =>
    slow.call(`${NAMESPACE}/configmaps`, { method: 'POST', body: { metadata: { name: 'a' } } });

  it('is not stored', async () => {
    await start(end);
    const message = 'namespaces "gone" not found';
    expect(await create()).toMatchObject({ status: 404, body: { message } });
    expect(slow.store.list('configmaps', 'gone')).toEqual([]);
  });

  it('is not stored if the deletion has only started', async () => {
    await start(async () => {
      await slow.call(NAMESPACE, { method: 'DELETE' });
    });
    expect(await create()).toMatchObject({ status: 403, body: { reason: 'Forbidden' } });
  });
});

describe('a generated name that is taken', () => {
  const SUFFIX_LETTERS = 5;
  const path = '/api/v1/namespaces/default/configmaps';
  let worn: ApiStand;
  let drawn: number;

  beforeEach(async () => {
    drawn = 0;
  });

  afterEach(async () => {
    await worn.close();
  });

  /** A server whose first `same` generated names are equal, and which counts the letters that it draws. */
  const open = async (same: number): Promise<void> => {
    const below = (): number => {
      drawn += 1;
      return drawn <= same * SUFFIX_LETTERS ? 0 : 1;
    };
    worn = await ApiStand.open({ ...nodeRandomness, below });
  };

  const create = (query: string = ''): ReturnType<ApiStand['call']> =>
    worn.call(`${path}${query}`, { method: 'POST', body: { metadata: { generateName: 'a-' } } });

  it('is generated again', async () => {
    await open(3);
    expect(await create()).toMatchObject({ status: 201, body: { metadata: { name: 'a-bbbbb' } } });
    const other = { status: 201, body: { metadata: { name: 'a-ccccc' } } };
    expect(await create('?dryRun=All')).toMatchObject(other);
    expect(drawn).toBe(4 * SUFFIX_LETTERS);
    expect(await create()).toMatchObject(other);
  });

  it('is refused after the eighth attempt', async () => {
    await open(100);
    await create();
    drawn = 0;
    expect(await create()).toMatchObject({ status: 409, body: { reason: 'AlreadyExists' } });
    expect(drawn).toBe(8 * SUFFIX_LETTERS);
  });
});
