import { afterEach, beforeEach, expect, it } from 'vitest';

import { ApiStand } from '../../../test/api-stand.ts';

let stand: ApiStand;

beforeEach(async () => {
  stand = await ApiStand.open();
});

afterEach(async () => {
  await stand.close();
});

it.each([
  [
    '/api/v1/namespaces/default/configmaps',
    'ConfigMap',
    /the UID in the precondition \(other\) does not match the UID in record \(.*\)\. The object might have been deleted and then recreated$/,
  ],
  [
    '/api/v1/namespaces',
    'namespaces',
    /Precondition failed: UID in precondition: other, UID in object meta: /,
  ],
])(
  'a deletion under %s with the identity of another object is refused',
  async (path, kind, why) => {
    await stand.call(path, { method: 'POST', body: { metadata: { name: 'a' } } });
    const body = { preconditions: { uid: 'other' } };
    expect(await stand.call(`${path}/a`, { method: 'DELETE', body })).toMatchObject({
      status: 409,
      body: { details: { kind }, message: expect.stringMatching(why) as string },
    });
    expect(await stand.call(`${path}/a`)).toMatchObject({ status: 200 });
  },
);
