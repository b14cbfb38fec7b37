/**
 * The environment of containers, and the wait for objects that the environment needs. The cases are the same for every
 * runner.
 */
import { expect, test } from 'vitest';

import { configMaps, secrets } from '../../src/kube/resources.ts';
import type { Bench } from './pod-bench.ts';

const namespace = 'default';
const FOREVER = 'exec sleep 1000';

export function envCases(bench: () => Bench): void {
  test('variables come from fields, resources, ConfigMaps and Secrets, and are expanded in arguments', async () => {
    const { cluster, create, container, until, logs } = bench();
    await cluster.client.create(configMaps, {
      metadata: { name: 'env', namespace },
      data: { A: '1', B: '2' },
    });
    await cluster.client.create(secrets, {
      metadata: { name: 'env', namespace },
      stringData: { S: 'secret' },
    });
    await create('env', {
      restartPolicy: 'Never',
      containers: [
        container('', {
          command: [
            'sh',
            '-c',
            'echo "$0|$X_A|$X_B|$S|$NAME|$CPU|$ONE|$NONE|$IP"',
            '$(NAME)-$(X_A)-$(NOT)-$$(NAME)',
          ],
          resources: { limits: { cpu: '1500m' } },
          envFrom: [
            { prefix: 'X_', configMapRef: { name: 'env' } },
            { secretRef: { name: 'none', optional: true } },
          ],
          env: [
            { name: 'S', valueFrom: { secretKeyRef: { name: 'env', key: 'S' } } },
            { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
            { name: 'ONE', value: 'is-$(X_A)' },
            {
              name: 'NONE',
              valueFrom: { configMapKeyRef: { name: 'env', key: 'none', optional: true } },
            },
            { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
          ],
        }),
      ],
    });
    const { status } = await until('env', 'has ended', (pod) => pod.status?.phase === 'Succeeded');
    expect(await logs('env')).toBe(
      `env-1-$(NOT)-$(NAME)|1|2|secret|env|2|is-1||${status?.podIP}\n`,
    );
  });

  test('a missing ConfigMap or key is reported, and the container starts when it is created', async () => {
    const { cluster, create, container, until, status, events, running } = bench();
    const valueFrom = { configMapKeyRef: { name: 'late', key: 'k' } };
    await create('waits', {
      containers: [container(FOREVER, { env: [{ name: 'K', valueFrom }] })],
    });
    const waiting = await until(
      'waits',
      'waits',
      (pod) => status(pod)?.state?.waiting?.reason === 'CreateContainerConfigError',
    );
    expect(status(waiting)?.state?.waiting?.message).toBe('configmap "late" not found');
    expect(waiting.status?.phase).toBe('Pending');
    await cluster.client.create(configMaps, {
      metadata: { name: 'late', namespace },
      data: { other: 'x' },
    });
    await until(
      'waits',
      'wants the key',
      (pod) =>
        status(pod)?.state?.waiting?.message === "couldn't find key k in ConfigMap default/late",
    );
    await cluster.client.patch(
      configMaps,
      { namespace, name: 'late' },
      { type: 'merge', body: { data: { k: 'v' } } },
    );
    expect(status(await running('waits'))?.restartCount).toBe(0);
    expect(await events('waits')).toContain('Failed: Error: configmap "late" not found');
  });
}
