import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ApiStand, type Call } from '../../test/api-stand.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'u1' };

let stand: ApiStand;

beforeEach(async () => {
  stand = await ApiStand.open();
});

afterEach(async () => {
  await stand.close();
});

/** Status, owner references of the answered object, and warnings. */
async function write(path: string, call: Call): Promise<readonly unknown[]> {
  const { status, headers, body } = await stand.ask(path, call);
  const { metadata } = JSON.parse(body as string) as { metadata: { ownerReferences: unknown } };
  return [status, metadata.ownerReferences, headers['warning']];
}

const warning = (when: string): string =>
  `299 - ".metadata.ownerReferences contains duplicate entries${when}; API server dedups owner ` +
  'references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; ' +
  'duplicate UID(s) observed: u1"';

describe('an owner reference that an object has twice', () => {
  const metadata = { name: 'a', ownerReferences: [OWNER, OWNER] };

  it('is stored once by a create and an update, with a warning', async () => {
    const create = { method: 'POST', body: { metadata } };
    expect(await write(MAPS, create)).toEqual([201, [OWNER], warning('')]);
    const update = { method: 'PUT', body: { metadata, data: { n: '1' } } };
    expect(await write(`${MAPS}/a`, update)).toEqual([200, [OWNER], warning('')]);
  });

  it('is stored once by a patch, with a warning', async () => {
    const owned = { name: 'a', ownerReferences: [OWNER] };
    await stand.call(MAPS, { method: 'POST', body: { metadata: owned } });
    const body = [{ op: 'add', path: '/metadata/ownerReferences/-', value: OWNER }];
    const headers = { 'content-type': 'application/json-patch+json' };
    const after = warning(' after mutating admission happens');
    const patch = { method: 'PATCH', headers, body };
    expect(await write(`${MAPS}/a`, patch)).toEqual([200, [OWNER], after]);
  });

  it('is kept if the references differ in another field', async () => {
    const ownerReferences = [OWNER, { ...OWNER, blockOwnerDeletion: true }];
    const create = { method: 'POST', body: { metadata: { name: 'a', ownerReferences } } };
    expect(await write(MAPS, create)).toEqual([201, ownerReferences, undefined]);
  });
});
