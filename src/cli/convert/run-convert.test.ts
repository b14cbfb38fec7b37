import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { LifehookError } from '../../model/problem.ts';
import { runConvert } from './run-convert.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-convert-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('reports a directory without hook files, instead of a conversion of nothing', async () => {
  await writeFile(join(folder, 'a.yaml'), 'kind: DeploymentConfig\n');
  const error: unknown = await runConvert([folder], {}).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LifehookError);
  expect((error as LifehookError).problems).toMatchObject([
    { code: 'LHG062', at: { file: folder }, message: expect.stringContaining('.json') as string },
  ]);
});

it('refuses a hook file in a pipe, because the file is read again', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const hook = '{ "hook": { "path": "/bin/true" }, "stages": ["poststop"] }';
  const converting = runConvert([pipe], {}).catch((thrown: unknown) => thrown);
  const [error] = await Promise.all([converting, writeFile(pipe, hook)]);
  expect(error).toMatchObject({ problems: [{ code: 'LHM021', at: { file: pipe } }] });
});

it('reports a directory for the output that does not exist, without the class of the error', async () => {
  const manifest = join(folder, 'a.yaml');
  await writeFile(
    manifest,
    'apiVersion: apps.openshift.io/v1\nkind: DeploymentConfig\nmetadata: { name: a }\nspec: { replicas: 1, selector: { app: a }, template: { metadata: { labels: { app: a } }, spec: { containers: [{ name: a, image: a }] } } }\n',
  );
  const converting = runConvert([manifest], { out: join(folder, 'none') });
  await expect(converting).rejects.toThrow('none/a.yaml could not be written: ENOENT');
});
