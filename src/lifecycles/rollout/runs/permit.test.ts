import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { ApiError } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { ObjectKey } from '../../../kube/object.ts';
import { type HookPodIdentity, fencingToken } from '../hookpod/identity.ts';
import { sampleRun } from '../../../../test/fixtures/rollout/sample-stage.ts';
import type { HookRun } from '../kinds.ts';
import { dropPermit, grant, readPermit, revoke } from './permit.ts';

const owner = { namespace: 'shop', name: 'web', uid: 'u' };
const first: HookPodIdentity = { uid: 'u', number: 5, stage: 'pre', attempt: 1 };
const second: HookPodIdentity = { ...first, attempt: 2 };
const metadata = { namespace: 'shop', name: 'hook-permit-u', resourceVersion: '7' };
const entry = { '5-pre-1': String(fencingToken(first)) };
const permit: ConfigMap = { metadata, data: entry };

/** The HookRun, in the version in which the ends of both attempts are decided. */
const sample = sampleRun({ attempts: [] });
const spec = { ...sample.spec, deploymentUID: 'u', rollout: 5, stage: 'pre' } as const;
const run: HookRun = {
  ...sample,
  metadata: { ...sample.metadata, namespace: 'shop', resourceVersion: '30' },
  spec,
};

const failure = (reason: string, code: number = 409): ApiError => new ApiError(code, { reason });

/** A server that has this permit. If an error is given, each write is answered with it. */
function serverOf(
  stored: ConfigMap | null,
  error?: ApiError,
): { client: KubeClient; writes: [string, object][] } {
  const writes: [string, object][] = [];
  const write =
    (verb: string) =>
    async (_: unknown, object: object): Promise<object> => {
      writes.push([verb, object]);
      if (error !== undefined) throw error;
      return object;
    };
  const part = {
    get: async (_: unknown, { namespace, name }: ObjectKey) => {
      if (stored === null || `${namespace}/${name}` !== 'shop/hook-permit-u') {
        throw new ApiError(404, { reason: 'NotFound' });
      }
      return stored;
    },
    create: write('create'),
    replace: write('replace'),
    delete: write('delete'),
  };
  return { client: part as unknown as KubeClient, writes };
}

describe('the permit of an attempt (ROLL-L3, ROLL-L4)', () => {
  it('is read by the UID of its Deployment', async () => {
    expect(await readPermit(serverOf(permit).client, owner)).toBe(permit);
    expect(await readPermit(serverOf(permit).client, { ...owner, uid: 'v' })).toBeNull();
  });

  it('is created for the first attempt, owned by the Deployment (ROLL-P1)', async () => {
    const { client, writes } = serverOf(null);
    await grant(client, { owner, attempt: first, permit: null });
    expect(writes).toMatchObject([
      [
        'create',
        {
          metadata: { name: 'hook-permit-u', ownerReferences: [{ kind: 'Deployment', uid: 'u' }] },
          data: entry,
        },
      ],
    ]);
  });

  it('takes the place of that of another attempt, in the version that was read (ROLL-P1, ROLL-P3)', async () => {
    const { client, writes } = serverOf(permit);
    await grant(client, { owner, attempt: second, permit });
    const data = { '5-pre-2': String(fencingToken(second)) };
    expect(writes).toEqual([['replace', { metadata, data }]]);
  });

  it('is not written again', async () => {
    const { client, writes } = serverOf(permit);
    await grant(client, { owner, attempt: first, permit });
    expect(writes).toEqual([]);
  });

  it('is refused to a grant that comes late (ROLL-P3)', async () => {
    const conflict = failure('Conflict');
    const { client } = serverOf(permit, conflict);
    await expect(grant(client, { owner, attempt: second, permit })).rejects.toBe(conflict);
  });
});

describe('the permit of an attempt that has ended (ROLL-P2)', () => {
  const revoked = { revoked: '5-pre-1 at 30' };

  it('loses its entry in the version that was read', async () => {
    const { client, writes } = serverOf(permit);
    await revoke(client, run, 1);
    expect(writes).toEqual([['replace', { metadata, data: revoked }]]);
  });

  it.each([
    ['is that of another attempt', { '5-pre-2': '' }],
    ['is empty', undefined],
    ['was revoked in an earlier version of the HookRun', { revoked: '5-pre-1 at 29' }],
  ])('gets another version if it %s: a grant may be on its way (ROLL-P3)', async (_, data) => {
    const stored = data === undefined ? { metadata } : { metadata, data };
    const { client, writes } = serverOf(stored);
    await revoke(client, run, 1);
    expect(writes).toEqual([['replace', { metadata, data: { ...data, ...revoked } }]]);
  });

  it('is created if there is none: a grant that would create it is on its way (ROLL-P3)', async () => {
    const { client, writes } = serverOf(null);
    await revoke(client, run, 1);
    const owned = { ownerReferences: [{ kind: 'Deployment', uid: 'u' }] };
    expect(writes).toMatchObject([['create', { metadata: owned, data: revoked }]]);
  });

  it('is written once for each version of the HookRun', async () => {
    const { client, writes } = serverOf({ metadata, data: revoked });
    await revoke(client, run, 1);
    expect(writes).toEqual([]);
  });

  it('may have been deleted with its Deployment, and never ends unseen otherwise', async () => {
    const conflict = failure('Conflict');
    await revoke(serverOf(permit, failure('NotFound')).client, run, 1);
    await expect(revoke(serverOf(permit, conflict).client, run, 1)).rejects.toBe(conflict);
  });

  it('need not be written where the server refuses that, unless the attempt has its entry', async () => {
    const forbidden = failure('Forbidden', 403);
    await revoke(serverOf(null, forbidden).client, run, 1);
    await revoke(serverOf({ metadata }, forbidden).client, run, 1);
    await expect(revoke(serverOf(permit, forbidden).client, run, 1)).rejects.toBe(forbidden);
    const exists = failure('AlreadyExists');
    await expect(revoke(serverOf(null, exists).client, run, 1)).rejects.toBe(exists);
  });
});

describe('the permit of a Deployment whose lifecycle is deleted', () => {
  it('is deleted', async () => {
    const { client, writes } = serverOf(permit);
    await dropPermit(client, owner);
    expect(writes).toEqual([['delete', { namespace: 'shop', name: 'hook-permit-u' }]]);
  });

  it('may be deleted already, and nothing else is passed over', async () => {
    const forbidden = failure('Forbidden');
    await dropPermit(serverOf(null, failure('NotFound')).client, owner);
    await expect(dropPermit(serverOf(null, forbidden).client, owner)).rejects.toBe(forbidden);
  });
});
