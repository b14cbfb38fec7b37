import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ApiStand } from '../../../test/api-stand.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CONTAINERS = '"containers":[{"name":"c","image":"x"}]';
const LARGEST = '9223372036854775807';
const POD = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"terminationGracePeriodSeconds":${LARGEST},${CONTAINERS}}}`;
const FAULT = `spec.terminationGracePeriodSeconds: the integer ${LARGEST} is too large`;

let stand: ApiStand;

beforeEach(async () => {
  stand = await ApiStand.open();
});

afterEach(async () => {
  await stand.close();
});

describe('an integer that would be stored with another value', () => {
  it.each([
    ['POST', PODS, 'application/json'],
    ['POST', PODS, 'application/yaml'],
    ['PATCH', `${PODS}/a?fieldManager=m`, 'application/apply-patch+yaml'],
  ])('is refused in %s %s with %s', async (method, path, type) => {
    const body = type.endsWith('yaml') ? `# YAML\n${POD}` : POD;
    const answer = await stand.call(path, { method, body, headers: { 'content-type': type } });
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(FAULT) as string },
    });
    expect(await stand.call(`${PODS}/a`)).toMatchObject({ status: 404 });
  });

  it('is refused in a patch', async () => {
    await stand.call(PODS, { method: 'POST', body: POD.replace(LARGEST, '30') });
    const patch = `{"spec":{"terminationGracePeriodSeconds":${LARGEST}}}`;
    const headers = { 'content-type': 'application/merge-patch+json' };
    const answer = await stand.call(`${PODS}/a`, { method: 'PATCH', headers, body: patch });
    expect(answer).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining(FAULT) },
    });
  });
});
