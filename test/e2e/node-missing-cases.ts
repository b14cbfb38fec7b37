/** Cases of pods that refer to missing objects. The cases are the same for every runner. */
import type { PodSpec } from 'kubernetes-types/core/v1.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { configMaps, secrets } from '../../src/kube/resources.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import type { Bench } from './pod-bench.ts';

type Volume = NonNullable<PodSpec['volumes']>[number];

const namespace = 'default';
const FOREVER = 'exec sleep 1000';

export function missingCases(bench: () => Bench): void {
  /** Creates a pod; resolves once it is still pending and has the event about its missing volume. */
  const held = async (name: string, source: Omit<Volume, 'name'>, why: string): Promise<void> => {
    const { create, container, until, status, events, at } = bench();
    await create(name, {
      // Bypasses the scheduler, which would not bind a pod with a missing claim.
      nodeName: 'lifehook',
      containers: [container(FOREVER, { volumeMounts: [{ name: 'x', mountPath: at('x') }] })],
      volumes: [{ name: 'x', ...source }],
    });
    const reported = `FailedMount: MountVolume.SetUp failed for volume "x" : ${why}`;
    await eventually(reported, async () => (await events(name)).includes(reported));
    // Its status and its event are written apart.
    const pod = await until(name, 'has a state', (one) => status(one)?.state !== undefined);
    expect(pod.status?.phase).toBe('Pending');
    expect(status(pod)?.state).toEqual({ waiting: { reason: 'ContainerCreating' } });
  };

  test('a missing Secret, ConfigMap, key or claim of a volume keeps the pod in ContainerCreating', async () => {
    const { cluster, running, exec, at } = bench();
    const name = 'comes-late';
    await held(name, { secret: { secretName: name } }, `secret "${name}" not found`);
    await held('no-map', { configMap: { name: 'no-map' } }, 'configmap "no-map" not found');
    await held(
      'no-claim',
      { persistentVolumeClaim: { claimName: 'no-claim' } },
      'persistentvolumeclaim "no-claim" not found',
    );
    await cluster.client.create(configMaps, {
      metadata: { name: 'keyless', namespace },
      data: { a: 'b' },
    });
    await held(
      'keyless',
      { configMap: { name: 'keyless', items: [{ key: 'c', path: 'c' }] } },
      'configmap references non-existent config key: c',
    );
    await cluster.client.create(secrets, {
      metadata: { name, namespace },
      stringData: { password: 'hunter2' },
    });
    await running(name);
    expect(await exec(name, `cat ${at('x/password')}`)).toBe('hunter2');
  });

  test('a hostPath of another type or in a kernel filesystem keeps the pod in ContainerCreating', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lifehook-host-'));
    try {
      const path = `${folder}/plain`;
      await writeFile(path, '');
      await held(
        'not-a-folder',
        { hostPath: { path, type: 'Directory' } },
        `hostPath type check failed: ${path} is not a Directory`,
      );
      await held(
        'of-the-kernel',
        { hostPath: { path: '/proc/none/here', type: 'DirectoryOrCreate' } },
        `hostPath /proc/none/here cannot be created: /proc is in a file system of the kernel`,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('a restarted container keeps a volume whose ConfigMap was deleted', async () => {
    const { cluster, create, container, until, running, status, exec, at } = bench();
    const name = 'goes-early';
    await cluster.client.create(configMaps, { metadata: { name, namespace }, data: { a: 'kept' } });
    const volumeMounts = [
      { name: 'x', mountPath: at('x') },
      { name: 'work', mountPath: at('work') },
    ];
    const script = `until [ -e ${at('work/go')} ]; do sleep 0.1; done; rm ${at('work/go')} 2>/dev/null || mv ${at('work/go')} ${at('work/went')}; exit 1`;
    await create(name, {
      containers: [container(script, { volumeMounts })],
      volumes: [
        { name: 'x', configMap: { name } },
        { name: 'work', emptyDir: {} },
      ],
    });
    await running(name);
    await cluster.client.delete(configMaps, { namespace, name });
    // The exec may fail: the container can exit, and end the exec, before its success is reported.
    await exec(name, `touch ${at('work/go')}`).catch(() => '');
    await until(
      name,
      'runs again',
      (pod) => status(pod)?.restartCount === 1 && status(pod)?.state?.running !== undefined,
    );
    expect(await exec(name, `cat ${at('x/a')}`)).toBe('kept');
  });
}
