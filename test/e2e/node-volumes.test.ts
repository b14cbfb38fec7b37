/**
 * Volumes and environment of plain processes, with the features that only these have: variables for paths, and
 * refusals.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { envCases } from './node-env-cases.ts';
import { missingCases } from './node-missing-cases.ts';
import { volumeCases } from './node-volume-cases.ts';
import { type Bench, openBench } from './pod-bench.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench('process');
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

volumeCases(() => bench);
missingCases(() => bench);
envCases(() => bench);

test('a process has the path of a whole volume in a variable, also when only a subPath is mounted', async () => {
  await bench.create('told', {
    restartPolicy: 'Never',
    containers: [
      bench.container(
        'cd "$LIFEHOOK_VOLUME_MY_WORK" && ls && [ "$LIFEHOOK_VOLUME_MY_WORK/part" -ef "$OLDPWD/p" ]',
        {
          volumeMounts: [{ name: 'my-work', mountPath: 'p', subPath: 'part' }],
        },
      ),
    ],
    volumes: [{ name: 'my-work', emptyDir: {} }],
  });
  await bench.until('told', 'has ended', (pod) => pod.status?.phase === 'Succeeded');
  expect(await bench.logs('told')).toBe('part\n');
});

test('a process of an image has the path of a volume in a variable when it is not mounted in its directory', async () => {
  const image = join(bench.cluster.folder, 'teller');
  await mkdir(image);
  await writeFile(join(image, 'readme'), 'its own');
  const imported = await bench.cluster.lifehook('image', 'import', image, 'teller:1');
  expect(imported.stderr).toBe('');
  await bench.create('teller', {
    restartPolicy: 'Never',
    containers: [
      {
        name: 'app',
        image: 'teller:1',
        command: [
          'sh',
          '-c',
          'echo told >"$LIFEHOOK_VOLUME_WORK/f"; ls; cat "$LIFEHOOK_VOLUME_WORK/f"',
        ],
        volumeMounts: [{ name: 'work', mountPath: 'work' }],
      },
    ],
    volumes: [{ name: 'work', emptyDir: {} }],
  });
  await bench.until('teller', 'has ended', (pod) => pod.status?.phase === 'Succeeded');
  expect(await bench.logs('teller')).toBe('readme\ntold\n');
});

test('a mount that is impossible for a process is refused with the alternatives', async () => {
  await bench.create('refused', {
    containers: [
      bench.container('sleep 1000', { volumeMounts: [{ name: 'work', mountPath: '/work-here' }] }),
    ],
    volumes: [{ name: 'work', emptyDir: {} }],
  });
  const pod = await bench.until(
    'refused',
    'is refused',
    (seen) => bench.status(seen)?.state?.waiting?.message !== undefined,
  );
  expect(bench.status(pod)?.state?.waiting?.reason).toBe('CreateContainerConfigError');
  expect(bench.status(pod)?.state?.waiting?.message).toMatch(
    /Use the OCI runner.*\$LIFEHOOK_VOLUME_WORK/,
  );
});

test('a process has no service account token mounted', async () => {
  await bench.create('no-token', { containers: [bench.container('exec sleep 1000')] });
  const { spec } = await bench.running('no-token');
  expect(spec?.volumes ?? []).toEqual([]);
});
