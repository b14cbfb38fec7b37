/** Plain processes that run as a different user than the cluster. Only a cluster of root can start them. */
import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { persistentVolumeClaims, secrets } from '../../src/kube/resources.ts';
import { type Bench, openBench } from './pod-bench.ts';

const FOREVER = 'exec sleep 1000';

describe('a process with runAsUser', { tags: 'root' }, () => {
  let bench: Bench;
  const modeOf = async (...path: readonly string[]): Promise<string> => {
    const { mode, uid } = await stat(join(bench.cluster.folder, ...path));
    return `${(mode & 0o777).toString(8)} ${uid}`;
  };

  beforeAll(async () => {
    bench = await openBench('process');
  });

  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
  });

  test('writes to its directories and volumes, and leaves a termination message', async () => {
    const { cluster, create, container, until, status, logs } = bench;
    await cluster.client.create(secrets, {
      metadata: { name: 'shown', namespace: 'default' },
      stringData: { password: 'hunter2' },
    });
    const script = [
      'id -u; id -g',
      'echo made >work/file; echo part >part/file; cat work/file work/some/part/file',
      'cat secret/password "$LIFEHOOK_VOLUME_SECRET/password"; echo',
      'printf done >"$LIFEHOOK_TERMINATION_MESSAGE"',
    ];
    await create('as-user', {
      restartPolicy: 'Never',
      securityContext: { runAsUser: 12_345, runAsGroup: 12_346 },
      containers: [
        container(script.join('\n'), {
          volumeMounts: [
            { name: 'work', mountPath: 'work' },
            { name: 'work', mountPath: 'part', subPath: 'some/part' },
            { name: 'secret', mountPath: 'secret' },
          ],
        }),
      ],
      volumes: [
        { name: 'work', emptyDir: {} },
        { name: 'secret', secret: { secretName: 'shown' } },
      ],
    });
    const ended = await until('as-user', 'has ended', (pod) =>
      ['Succeeded', 'Failed'].includes(pod.status?.phase ?? ''),
    );
    expect(await logs('as-user')).toBe('12345\n12346\nmade\npart\nhunter2hunter2\n');
    expect(status(ended)?.state?.terminated).toMatchObject({ exitCode: 0, message: 'done' });
  });

  test('runs in the directory of its image and writes to a claim, and exec runs as the same user', async () => {
    const { cluster, create, container, running, exec } = bench;
    const app = join(cluster.folder, 'app');
    await mkdir(app);
    await chmod(app, 0o755);
    expect((await cluster.lifehook('image', 'import', app, 'app:v1')).code).toBe(0);
    await cluster.client.create(persistentVolumeClaims, {
      metadata: { name: 'data', namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
    });
    await create('in-image', {
      securityContext: { runAsUser: 12_345 },
      containers: [container(FOREVER, { image: 'app:v1' })],
    });
    await running('in-image');
    expect(await exec('in-image', 'id -u; ls -d "$PWD"')).toMatch(/^12345\n.*\/root\n$/);
    await create('with-claim', {
      securityContext: { runAsUser: 12_345 },
      containers: [container(FOREVER, { volumeMounts: [{ name: 'data', mountPath: 'data' }] })],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    });
    await running('with-claim');
    expect(await exec('with-claim', 'echo kept >data/file; cat data/file')).toBe('kept\n');
  });

  test('can read neither the secrets of the cluster nor those of other pods', async () => {
    const { cluster, create, container, running, exec } = bench;
    const volumeMounts = [{ name: 'secret', mountPath: 'secret' }];
    const volumes = [{ name: 'secret', secret: { secretName: 'shown' } }];
    await create('other', { containers: [container(FOREVER, { volumeMounts })], volumes });
    await create('curious', {
      securityContext: { runAsUser: 12_345, runAsGroup: 12_346 },
      containers: [container(FOREVER)],
    });
    const other = (await running('other')).metadata?.uid ?? '';
    const curious = (await running('curious')).metadata?.uid ?? '';
    const { folder } = cluster;
    const containers = `${folder}/process/containers`;
    const secret = [
      `${folder}/token`,
      `${folder}/kubeconfig`,
      `${folder}/api/journal.jsonl`,
      `${folder}/pods/${other}/volumes/secret/password`,
      `${containers}/${curious}_app_0/order.json`,
      `${containers}/${other}_app_0/log`,
    ];
    const tries = secret.map((path) => `cat ${path} 2>/dev/null && echo read ${path}`);
    const lists = ['', '/pods', '/images', '/volumes'].map(
      (path) => `ls ${folder}${path} 2>/dev/null`,
    );
    expect(await exec('curious', `${[...tries, ...lists].join('; ')}; echo over`)).toBe('over\n');
    for (const path of secret) expect((await stat(path)).isFile()).toBe(true);
    expect(await modeOf('token')).toBe('600 0');
    expect(await modeOf('process/containers', `${curious}_app_0`, 'order.json')).toBe('600 0');
  });
});
