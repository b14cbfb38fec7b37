import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { snapshots } from '../../src/kube/snapshots.ts';
import { namespaces, persistentVolumeClaims, persistentVolumes } from '../../src/kube/resources.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { removeVolumes, snapshotCases } from '../fixtures/api-cases/snapshots.ts';
import { type ControllersStand, openControllers } from './controllers-stand.ts';

let stand: ControllersStand;

beforeAll(async () => {
  stand = await openControllers();
  await eventually('snapshots are served', async () => {
    try {
      return (await stand.client.list(snapshots)).items;
    } catch {
      return null;
    }
  });
});

afterAll(async () => {
  await stand.close();
});

describe('the snapshotter on the local cluster', () => {
  for (const [index, { title, run, expected }] of snapshotCases.entries()) {
    it(title, async () => {
      const { client } = stand;
      const namespace = `vs-${index}`;
      const folder = join(stand.folder, namespace);
      mkdirSync(folder);
      await client.create(namespaces, { metadata: { name: namespace } });
      expect(await run({ client, namespace, folder })).toEqual(expected);
      await removeVolumes({ client, namespace });
    });
  }

  it('fills a new claim with the data of a snapshot', async () => {
    const { client } = stand;
    const namespace = 'default';
    const claim = async (
      name: string,
      dataSource?: { kind: string; name: string },
    ): Promise<string> => {
      await client.create(persistentVolumeClaims, {
        metadata: { name, namespace },
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          ...(dataSource === undefined
            ? {}
            : { dataSource: { apiGroup: 'snapshot.storage.k8s.io', ...dataSource } }),
        },
      });
      const volumeName = await eventually('bound', async () => {
        const found = await client.get(persistentVolumeClaims, { namespace, name });
        return found.status?.phase === 'Bound' ? found.spec?.volumeName : null;
      });
      const volume = await client.get(persistentVolumes, { name: volumeName });
      return volume.spec?.csi?.volumeAttributes?.['path'] ?? '';
    };
    const original = await claim('original');
    writeFileSync(join(original, 'a'), 'before');
    await client.create(snapshots, {
      metadata: { name: 'saved', namespace },
      spec: { source: { persistentVolumeClaimName: 'original' } },
    });
    await eventually('ready', async () => {
      const found = await client.get(snapshots, { namespace, name: 'saved' });
      return found.status?.readyToUse === true;
    });
    writeFileSync(join(original, 'a'), 'after');
    const restored = await claim('restored', { kind: 'VolumeSnapshot', name: 'saved' });
    expect(readFileSync(join(restored, 'a'), 'utf8')).toBe('before');
  });
});
