/** Cases about the volumes of a pod. They are the same for every runner. */
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import {
  configMaps,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  secrets,
} from '../../src/kube/resources.ts';
import type { PatchOptions } from '../../src/kube/client.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import type { Bench } from './pod-bench.ts';

const namespace = 'default';
const FOREVER = 'exec sleep 1000';

const follows = { namespace, name: 'follows' };
const moodOf = (mood: string): PatchOptions => ({
  type: 'merge',
  body: { metadata: { labels: { mood } } },
});

export function volumeCases(bench: () => Bench): void {
  test('ConfigMap, Secret, downwardAPI and projected volumes have files with their modes', async () => {
    const { cluster, container, create, running, exec, at } = bench();
    await cluster.client.create(configMaps, {
      metadata: { name: 'shown', namespace },
      data: { a: 'one', b: 'two' },
      binaryData: { raw: Buffer.from([0, 255, 128]).toString('base64') },
    });
    await cluster.client.create(secrets, {
      metadata: { name: 'shown', namespace },
      stringData: { password: 'hunter2' },
    });
    const items = [{ key: 'b', path: 'deep/er', mode: 0o640 }];
    const labels = { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } };
    await create(
      'shows',
      {
        containers: [
          container(FOREVER, {
            volumeMounts: ['all', 'some', 'secret', 'self', 'together', 'none'].map((name) => ({
              name,
              mountPath: at(name),
            })),
          }),
        ],
        volumes: [
          { name: 'all', configMap: { name: 'shown' } },
          { name: 'some', configMap: { name: 'shown', items } },
          { name: 'secret', secret: { secretName: 'shown', defaultMode: 0o400 } },
          { name: 'self', downwardAPI: { items: [labels] } },
          {
            name: 'together',
            projected: {
              sources: [{ configMap: { name: 'shown' } }, { secret: { name: 'shown' } }],
            },
          },
          { name: 'none', secret: { secretName: 'is-not-there', optional: true } },
        ],
      },
      { labels: { app: 'shown' } },
    );
    await running('shows');
    const reads = [
      'all/a',
      'some/deep/er',
      'secret/password',
      'self/labels',
      'together/b',
      'together/password',
    ];
    const script = reads.map((path) => `cat ${at(path)}; echo`).join('; ');
    expect(await exec('shows', script)).toBe('one\ntwo\nhunter2\napp="shown"\ntwo\nhunter2\n');
    const modes = ['some/deep/er', 'secret/password', 'all/a'];
    expect(await exec('shows', `stat -L -c %a ${modes.map(at).join(' ')}`)).toBe('640\n400\n644\n');
    expect(await exec('shows', `ls ${at('none')} ${at('some')}`)).toMatch(
      /none:\n+\S*some:\ndeep\n/,
    );
    expect(await exec('shows', `cat ${at('all/raw')} | od -An -tx1 2>/dev/null || true`)).toMatch(
      /^( 00 ff 80\n)?$/,
    );
  });

  test('a change of a ConfigMap or a label updates the files atomically', async () => {
    const { cluster, exec, at, create, container, running } = bench();
    const { client } = cluster;
    for (const [name, data] of [['live', { a: 'old', b: 'old', deleted: 'x' }]] as const) {
      await client.create(configMaps, { metadata: { name, namespace }, data });
    }
    await create('follows', {
      containers: [
        container(
          // Both keys are always of one version, because `..data` is replaced by a rename. Both are missing if the old
          // directory is removed while its path is resolved or its files are read.
          `while :; do set -- $({ cd ${at('live')}/..data && cat a && echo && cat b; } 2>/dev/null); [ -z "$2" ] || [ "$1" = "$2" ] || echo torn $1 $2; done`,
          {
            volumeMounts: [
              { name: 'live', mountPath: at('live') },
              { name: 'self', mountPath: at('self') },
            ],
          },
        ),
      ],
      volumes: [
        { name: 'live', configMap: { name: 'live' } },
        {
          name: 'self',
          downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] },
        },
      ],
    });
    await running('follows');
    for (let turn = 1; turn <= 5; turn += 1) {
      const data = { a: `v${turn}`, b: `v${turn}`, deleted: null, [`new${turn}`]: 'y' };
      await client.patch(
        configMaps,
        { namespace, name: 'live' },
        { type: 'merge', body: { data } },
      );
      await eventually(
        'the files have it',
        async () => (await exec('follows', `cat ${at('live/a')}`)) === `v${turn}`,
      );
    }
    // Like the kubelet, the node adds and removes names only after it has changed the data.
    await eventually(
      'the directory has the new names and no old one',
      async () =>
        (await exec('follows', `ls ${at('live')}`)) === 'a\nb\nnew1\nnew2\nnew3\nnew4\nnew5\n',
    );
    await client.patch(pods, follows, moodOf('new'));
    await eventually(
      'the label is in the file',
      async () => (await exec('follows', `cat ${at('self/labels')}`)) === 'mood="new"',
    );
    expect(await bench().logs('follows')).toBe('');
    // The files of a deleted ConfigMap stay, because the container does not learn of the deletion.
    await client.delete(configMaps, { namespace, name: 'live' });
    await client.patch(pods, follows, moodOf('newer'));
    expect(await exec('follows', `cat ${at('live/a')}`)).toBe('v5');
  });

  test('an emptyDir is shared by the containers and survives a restart, and subPath mounts a directory of it', async () => {
    const { create, container, until, status, exec, at } = bench();
    const volumeMounts = [
      { name: 'work', mountPath: at('work') },
      { name: 'work', mountPath: at('part'), subPath: 'some/part' },
    ];
    await create('shares', {
      initContainers: [
        container(`echo made >${at('work/by-init')}`, { name: 'init', volumeMounts }),
      ],
      containers: [
        container(
          `echo x >>${at('work/runs')}; echo part >${at('part/file')}; [ $(cat ${at('work/runs')} | grep -c x) -gt 1 ] || exit 1; ${FOREVER}`,
          {
            volumeMounts,
          },
        ),
      ],
      volumes: [{ name: 'work', emptyDir: {} }],
    });
    await until(
      'shares',
      'runs again',
      (pod) => status(pod)?.restartCount === 1 && status(pod)?.state?.running !== undefined,
    );
    // A container is running before its shell has written its first line.
    await eventually(
      'both runs have written',
      async () =>
        (await exec('shares', `cd ${at('work')}; cat by-init runs some/part/file`)) ===
        'made\nx\nx\npart\n',
    );
  });

  test('a hostPath is a directory of this machine that outlives the pod', async () => {
    const { create, container, running, remove, at } = bench();
    const folder = await mkdtemp(join(tmpdir(), 'lifehook-host-'));
    try {
      const path = `${folder}/made/here`;
      await create('on-host', {
        containers: [
          container(`echo was-here >${at('host')}/file; ${FOREVER}`, {
            volumeMounts: [{ name: 'host', mountPath: at('host') }],
          }),
        ],
        volumes: [{ name: 'host', hostPath: { path, type: 'DirectoryOrCreate' } }],
      });
      await running('on-host');
      await eventually(
        'it has written',
        async () => (await readFile(`${path}/file`, 'utf8').catch(() => '')) === 'was-here\n',
      );
      await remove('on-host');
      expect(await readFile(`${path}/file`, 'utf8')).toBe('was-here\n');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('a subPath does not follow a link out of its volume', async () => {
    const { create, container, until, status, at } = bench();
    const folder = await mkdtemp(join(tmpdir(), 'lifehook-escape-'));
    try {
      await symlink('/etc', `${folder}/out`);
      for (const [name, subPath] of [
        ['escapes', 'out'],
        ['escapes-below', 'out/none/here'],
      ] as const) {
        await create(name, {
          containers: [
            container(FOREVER, {
              volumeMounts: [{ name: 'host', mountPath: at('host'), subPath }],
            }),
          ],
          volumes: [{ name: 'host', hostPath: { path: folder } }],
        });
        const refused = await until(
          name,
          'is refused',
          (pod) => status(pod)?.state?.waiting?.message !== undefined,
        );
        expect(status(refused)?.state?.waiting).toEqual({
          reason: 'CreateContainerConfigError',
          message: `subPath "${subPath}" leads out of volume "host"`,
        });
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('a claim that is bound by hand is the directory of its volume', async () => {
    const { cluster, create, container, running, exec, at } = bench();
    const folder = await mkdtemp(join(tmpdir(), 'lifehook-claim-'));
    try {
      const capacity = { storage: '1Mi' };
      const accessModes = ['ReadWriteOnce'];
      await cluster.client.create(persistentVolumes, {
        metadata: { name: 'by-hand' },
        spec: {
          capacity,
          accessModes,
          hostPath: { path: folder },
          claimRef: { namespace, name: 'by-hand' },
          storageClassName: 'none',
        },
      });
      const claim = await cluster.client.create(persistentVolumeClaims, {
        metadata: { name: 'by-hand', namespace },
        spec: {
          accessModes,
          resources: { requests: capacity },
          volumeName: 'by-hand',
          storageClassName: 'none',
        },
      });
      if (claim.status?.phase !== 'Bound') {
        await cluster.client.patch(
          persistentVolumeClaims,
          { namespace, name: 'by-hand' },
          {
            type: 'merge',
            subresource: 'status',
            body: { status: { phase: 'Bound' } },
          },
        );
      }
      await create('claims', {
        containers: [
          container(FOREVER, { volumeMounts: [{ name: 'data', mountPath: at('data') }] }),
        ],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'by-hand' } }],
      });
      await running('claims');
      await exec('claims', `echo kept >${at('data/file')}`);
      expect(await readFile(`${folder}/file`, 'utf8')).toBe('kept\n');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
