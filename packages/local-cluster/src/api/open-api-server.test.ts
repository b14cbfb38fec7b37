import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { nodePlatform } from '../../../../src/platform/node-platform.ts';
import { nodeRandomness } from '../../../../src/platform/randomness.ts';
import { openApiServer, type OpenApiServer } from './open-api-server.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-api-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const open = (): Promise<OpenApiServer> =>
  openApiServer({ platform: nodePlatform, randomness: nodeRandomness, folder });

const addressOf = (name: string): { resource: string; namespace: string; name: string } => ({
  resource: 'pods',
  namespace: 'default',
  name,
});

it('completes at its start the deletion of a pod that a kill interrupted', async () => {
  const before = await open();
  const terminating = {
    namespace: 'default',
    deletionTimestamp: '2026-01-01T00:00:00Z',
    deletionGracePeriodSeconds: 0,
  };
  const stored = {
    // Stored as by the first of the two writes of a deletion.
    interrupted: terminating,
    finalized: { ...terminating, finalizers: ['example.com/held'] },
    stopping: { ...terminating, deletionGracePeriodSeconds: 30 },
    kept: { namespace: 'default' },
  };
  for (const [name, metadata] of Object.entries(stored)) {
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name } };
    await before.store.write({ address: addressOf(name), expectRevision: 0, object });
  }
  await before.close();
  const after = await open();
  expect(after.store.list('pods').map(({ address }) => address.name)).toEqual([
    'finalized',
    'kept',
    'stopping',
  ]);
  await after.close();
});
