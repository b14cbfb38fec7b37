import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ApiStand } from '../../../test/api-stand.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';

let stand: ApiStand;

beforeEach(async () => {
  stand = await ApiStand.open();
});

afterEach(async () => {
  await stand.close();
});

const ask = (path: string, kind: string, spec: JsonObject): ReturnType<ApiStand['call']> =>
  stand.call(path, { method: 'POST', body: { kind, spec } });

describe('a SelfSubjectAccessReview', () => {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const may = (spec: JsonObject): ReturnType<ApiStand['call']> =>
    ask(path, 'SelfSubjectAccessReview', spec);
  const resourceAttributes = { verb: 'get', resource: 'pods' };
  const nonResourceAttributes = { verb: 'get', path: '/version' };

  it('is accepted for a resource or for a path', async () => {
    expect(await may({ resourceAttributes })).toMatchObject({ status: 201 });
    expect(await may({ nonResourceAttributes })).toMatchObject({
      status: 201,
      body: { metadata: { managedFields: [{ operation: 'Update' }] } },
    });
  });

  it('is refused without attributes, and with both kinds', async () => {
    expect(await may({})).toMatchObject({
      status: 422,
      body: { details: { causes: [{ field: 'spec' }] } },
    });
    expect(await may({ resourceAttributes, nonResourceAttributes })).toMatchObject({
      status: 422,
      body: { details: { causes: [{ field: 'spec' }] } },
    });
  });

  it('cannot be listed or read', async () => {
    expect(await stand.call(path)).toMatchObject({ status: 405 });
    expect(await stand.call(`${path}/a`)).toMatchObject({ status: 404 });
  });
});

describe('a SelfSubjectReview', () => {
  it('is answered with the user, and with nothing of what was sent', async () => {
    const { status, body } = await stand.call('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      method: 'POST',
      body: { metadata: { name: 'a' }, status: { userInfo: { username: 'another' } } },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
      metadata: { creationTimestamp: expect.any(String) },
      status: { userInfo: { username: expect.any(String), groups: expect.any(Array) } },
    });
    expect(JSON.stringify(body)).not.toContain('another');
  });
});

describe('a TokenReview', () => {
  it('requires a token', async () => {
    const path = '/apis/authentication.k8s.io/v1/tokenreviews';
    expect(await ask(path, 'TokenReview', {})).toMatchObject({
      status: 400,
      body: { message: 'token is required for TokenReview in authentication' },
    });
    expect(await ask(path, 'TokenReview', { token: 'x' })).toMatchObject({ status: 201 });
  });
});

describe('a TokenRequest', () => {
  const core = '/api/v1/namespaces/default';
  const request = (boundObjectRef: JsonObject): ReturnType<ApiStand['call']> =>
    ask(`${core}/serviceaccounts/a/token`, 'TokenRequest', { boundObjectRef });

  beforeEach(async () => {
    const body = (name: string): JsonObject => ({ metadata: { name } });
    await stand.call(`${core}/serviceaccounts`, { method: 'POST', body: body('a') });
    await stand.call(`${core}/secrets`, { method: 'POST', body: body('s') });
    const containers = [{ name: 'c', image: 'x' }];
    const pod = { ...body('p'), spec: { serviceAccountName: 'b', containers } };
    await stand.call(`${core}/pods`, { method: 'POST', body: pod });
  });

  it('can be bound to an existing object only', async () => {
    const secret = { kind: 'Secret', apiVersion: 'v1', name: 's' };
    expect(await request(secret)).toMatchObject({ status: 201 });
    expect(await request({ ...secret, uid: 'other' })).toMatchObject({ status: 409 });
    expect(await request({ ...secret, name: 't' })).toMatchObject({
      status: 404,
      body: { message: 'secrets "t" not found' },
    });
  });

  it('cannot be bound to a pod of another service account', async () => {
    expect(await request({ kind: 'Pod', apiVersion: 'v1', name: 'p' })).toMatchObject({
      status: 400,
      body: {
        message:
          'cannot bind token for serviceaccount "a" to pod running with different serviceaccount name.',
      },
    });
  });

  it('cannot be bound to an object of another kind', async () => {
    expect(await request({ kind: 'Pod', apiVersion: 'apps/v1', name: 'p' })).toMatchObject({
      status: 400,
      body: { message: 'cannot bind token to object of type apps/v1, Kind=Pod' },
    });
  });
});
