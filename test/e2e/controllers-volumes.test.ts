import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PersistentVolumeClaim, PersistentVolume } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { getOrNull } from '../../src/kube/get-or-null.ts';
import {
  namespaces,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  storageClasses,
  volumeAttachments,
} from '../../src/kube/resources.ts';
import { deleted } from '../fixtures/api-cases/case.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ControllersStand, openControllers } from './controllers-stand.ts';

const namespace = 'volumes';
let stand: ControllersStand;

beforeAll(async () => {
  stand = await openControllers();
  await stand.client.create(namespaces, { metadata: { name: namespace } });
});

afterAll(async () => {
  await stand.close();
});

const claimOf = (
  name: string,
  spec: Partial<NonNullable<PersistentVolumeClaim['spec']>> = {},
): PersistentVolumeClaim => ({
  metadata: { name, namespace },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    ...spec,
  },
});

const staticVolume = (
  name: string,
  spec: NonNullable<PersistentVolume['spec']> = {},
): PersistentVolume => ({
  metadata: { name },
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    storageClassName: 'by-hand',
    persistentVolumeReclaimPolicy: 'Retain',
    hostPath: { path: `/nowhere/${name}` },
    ...spec,
  },
});

async function bound(name: string): Promise<PersistentVolumeClaim> {
  return eventually(`${name} is bound`, async () => {
    const claim = await stand.client.get(persistentVolumeClaims, { namespace, name });
    return claim.status?.phase === 'Bound' ? claim : null;
  });
}

async function phase(name: string, wanted: string): Promise<PersistentVolume> {
  return eventually(`${name} is ${wanted}`, async () => {
    const volume = await getOrNull(stand.client, persistentVolumes, { name });
    return volume?.status?.phase === wanted ? volume : null;
  });
}

function pathOf({ spec }: PersistentVolume): string {
  return spec?.csi?.volumeAttributes?.['path'] ?? '';
}

async function use(claim: string, name: string): Promise<void> {
  await eventually('the pod', async () => {
    try {
      return await stand.client.create(pods, {
        metadata: { name, namespace },
        spec: {
          nodeName: 'played-by-the-test',
          containers: [{ name: 'main', image: 'none', command: ['none'] }],
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim } }],
        },
      });
    } catch {
      return null;
    }
  });
}

describe('a claim', () => {
  it('without a class gets the default class and a directory, and its volume is deleted with it', async () => {
    const { client, folder } = stand;
    const made = await client.create(persistentVolumeClaims, claimOf('dynamic'));
    const claim = await bound('dynamic');
    const name = `pvc-${made.metadata?.uid ?? ''}`;
    expect(claim).toMatchObject({
      metadata: {
        finalizers: ['kubernetes.io/pvc-protection'],
        annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
      },
      spec: { volumeName: name, storageClassName: 'local' },
      status: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } },
    });
    const volume = await phase(name, 'Bound');
    expect(pathOf(volume)).toBe(join(folder, 'volumes', name));
    expect(existsSync(pathOf(volume))).toBe(true);
    await client.delete(persistentVolumeClaims, { namespace, name: 'dynamic' });
    await deleted(client, persistentVolumes, { name });
    expect(existsSync(pathOf(volume))).toBe(false);
  });

  it('binds the smallest sufficient volume of its class, which is Released after its deletion', async () => {
    const { client } = stand;
    const big = staticVolume('big', { capacity: { storage: '10Gi' } });
    const fit = staticVolume('fit', { capacity: { storage: '2Gi' } });
    const small = staticVolume('small', { capacity: { storage: '500Mi' } });
    for (const volume of [big, fit, small]) await client.create(persistentVolumes, volume);
    for (const name of ['big', 'fit', 'small']) await phase(name, 'Available');
    const spec = { storageClassName: 'by-hand' };
    await client.create(persistentVolumeClaims, claimOf('picky', spec));
    expect((await bound('picky')).spec?.volumeName).toBe('fit');
    await client.delete(persistentVolumeClaims, { namespace, name: 'picky' });
    await phase('fit', 'Released');
  });

  it('gets the volume that was reserved for it by hand', async () => {
    const { client } = stand;
    const claimRef = { namespace, name: 'reserved' };
    await client.create(persistentVolumes, staticVolume('for-reserved', { claimRef }));
    await client.create(
      persistentVolumeClaims,
      claimOf('reserved', { storageClassName: 'by-hand' }),
    );
    expect((await bound('reserved')).spec?.volumeName).toBe('for-reserved');
    const volume = await phase('for-reserved', 'Bound');
    expect(volume.metadata?.annotations?.['pv.kubernetes.io/bound-by-controller']).toBeUndefined();
  });

  it('of a class with WaitForFirstConsumer is bound when a pod uses it', async () => {
    const { client } = stand;
    await client.create(storageClasses, {
      metadata: { name: 'waits' },
      provisioner: 'lifehook.dev/local',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    await client.create(persistentVolumeClaims, claimOf('patient', { storageClassName: 'waits' }));
    await new Promise((go) => {
      setTimeout(go, 300);
    });
    const waiting = await client.get(persistentVolumeClaims, { namespace, name: 'patient' });
    expect(waiting.status?.phase).toBe('Pending');
    await use('patient', 'consumer');
    await bound('patient');
  });

  it('is attached while a pod uses it, and is deleted only after the pod', async () => {
    const { client } = stand;
    await client.create(persistentVolumeClaims, claimOf('used'));
    const volumeName = (await bound('used')).spec?.volumeName ?? '';
    await use('used', 'user');
    const attachments = async (): Promise<boolean[]> => {
      const { items } = await client.list(volumeAttachments);
      return items
        .filter(({ spec }) => spec.source.persistentVolumeName === volumeName)
        .map(({ status }) => status?.attached === true);
    };
    await eventually('attached', async () => (await attachments())[0]);
    await client.delete(persistentVolumeClaims, { namespace, name: 'used' });
    await new Promise((go) => {
      setTimeout(go, 300);
    });
    expect(
      await getOrNull(client, persistentVolumeClaims, { namespace, name: 'used' }),
    ).not.toBeNull();
    await client.delete(pods, { namespace, name: 'user' }, { gracePeriodSeconds: 0 });
    await deleted(client, persistentVolumeClaims, { namespace, name: 'used' });
    await eventually('detached', async () => (await attachments()).length === 0);
  });

  it('created from another claim holds a copy of its data', async () => {
    const { client } = stand;
    await client.create(persistentVolumeClaims, claimOf('original'));
    const original = await client.get(persistentVolumes, {
      name: (await bound('original')).spec?.volumeName ?? '',
    });
    writeFileSync(join(pathOf(original), 'a'), 'text');
    const dataSource = { kind: 'PersistentVolumeClaim', name: 'original' };
    await client.create(persistentVolumeClaims, claimOf('clone', { dataSource }));
    const clone = await client.get(persistentVolumes, {
      name: (await bound('clone')).spec?.volumeName ?? '',
    });
    expect(readFileSync(join(pathOf(clone), 'a'), 'utf8')).toBe('text');
  });

  it('is Lost when its volume was deleted', async () => {
    const { client } = stand;
    await client.create(persistentVolumeClaims, claimOf('loser'));
    const name = (await bound('loser')).spec?.volumeName ?? '';
    await client.patch(
      persistentVolumes,
      { name },
      { type: 'merge', body: { metadata: { finalizers: [] } } },
    );
    await client.delete(persistentVolumes, { name });
    const key = { name };
    const body = { metadata: { finalizers: [] } };
    await eventually('the volume is gone', async () => {
      if ((await getOrNull(client, persistentVolumes, key)) === null) return true;
      // It may be deleted since.
      await client.patch(persistentVolumes, key, { type: 'merge', body }).catch(() => null);
      return null;
    });
    await eventually('the claim is lost', async () => {
      const claim = await client.get(persistentVolumeClaims, { namespace, name: 'loser' });
      return claim.status?.phase === 'Lost';
    });
  });
});
