import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

import { artifactIn, buildStand } from '../../../test/fixtures/pipeline/build-stand.ts';
import { readReportedImages, reportedImagesText } from './reported-images.ts';

const folder = mkdtempSync(join(tmpdir(), 'lifehook-told-'));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function written(text: string): string {
  const path = join(folder, 'built.json');
  writeFileSync(path, text);
  return path;
}

it('readToldImages reads our own file of built images, and one by Skaffold', async () => {
  const stand = buildStand({ artifactsIn: (at) => [artifactIn(at, 'web')] });
  const [module] = stand.session.config.modules;
  const [artifact] = module?.build.artifacts ?? [];
  stand.remove();
  if (module === undefined || artifact === undefined) throw new Error('no artifact');
  const built = { module, artifact, image: 'web', reference: 'r/web:v1', id: 'i', cached: false };
  const reported = [{ image: 'web', reference: 'r/web:v1' }];
  expect(await readReportedImages(written(reportedImagesText([built])))).toEqual(reported);
  const peers = '{"builds":[{"imageName":"web","tag":"r/web:v1","platforms":"linux"}]}';
  expect(await readReportedImages(written(peers))).toEqual(reported);
});

it('readToldImages refuses a file without images', async () => {
  for (const text of ['', '[]', '{}', '{"builds":{}}', '{"builds":[{"imageName":"web"}]}']) {
    await expect(readReportedImages(written(text))).rejects.toThrow('LHL602');
  }
  expect(await readReportedImages(undefined)).toBeNull();
});
