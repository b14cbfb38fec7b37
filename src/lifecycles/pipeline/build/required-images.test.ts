import { describe, expect, test } from 'vitest';

import {
  artifactIn,
  customBuilder,
  NO_HOOKS,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { BUILD, fileImages, log, web } from '../../../../test/fixtures/pipeline/file-images.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { runBuild } from './run-build.ts';

describe('the build of an image with a required image', () => {
  test('PIPE-CASE43: skips an image whose required image failed, and returns the exit code of the failure', async () => {
    const s = fileImages({
      concurrency: 2,
      artifactsIn: (folder) => [
        web(folder, { builder: customBuilder('exit 7') }),
        artifactIn(`${folder}/web`, 'top', {
          builder: customBuilder('echo top >> ../log'),
          requires: [{ image: 'web', alias: 'BASE' }],
        }),
      ],
    });
    s.write('web/src', 'one');
    expect(await runBuild(s.session)).toMatchObject({
      outcome: 'Failed',
      exitCode: 7,
      message: expect.stringContaining('LHL304: The build of web failed'),
    });
    expect(log(s)).toBe('');
  });

  test('passes a custom builder the reference of a required image in the variable of its alias', async () => {
    const s = fileImages({
      artifactsIn: (folder) => [
        artifactIn(`${folder}/web`, 'top', {
          builder: customBuilder('echo $BASE > ../images/$IMAGE; cp ../images/$IMAGE ../log'),
          requires: [{ image: 'web', alias: 'BASE' }],
        }),
        web(folder, { builder: customBuilder('cat src > ../images/$IMAGE') }),
      ],
    });
    s.write('web/src', 'one');
    expect(await runBuild(s.session)).toMatchObject({
      value: [{ image: 'web' }, { image: 'top' }],
    });
    expect(log(s)).toBe('web:latest');
  });

  test('caches an image that alone was selected for the next build of it and its required image', async () => {
    const s = fileImages({
      tagPolicy: { kind: 'inputDigest' },
      artifactsIn: (folder) => [
        web(folder),
        artifactIn(`${folder}/top`, 'top', {
          builder: customBuilder(BUILD),
          requires: [{ image: 'web', alias: 'BASE' }],
        }),
      ],
    });
    s.write('web/src', 'one');
    s.write('top/src', 'one');
    const first = await runBuild(s.session);
    if (first.outcome !== 'Succeeded') throw new Error(first.message);
    s.write('top/src', 'two');
    await runBuild(s.session, new Set(['top']), first.value);
    expect(await runBuild(s.session)).toMatchObject({
      value: [{ cached: true }, { cached: true }],
    });
  });

  test('PIPE-CASE22: caches an image whose required image has a file that a before hook created', async () => {
    const before = [shell('mkdir -p web && echo made > web/src')];
    const s = fileImages({
      artifactsIn: (folder) => [
        web(folder, { hooks: { ...NO_HOOKS, before } }),
        artifactIn(`${folder}/top`, 'top', {
          builder: customBuilder(BUILD),
          requires: [{ image: 'web', alias: 'BASE' }],
        }),
      ],
    });
    s.write('web/other', '');
    s.write('top/src', 'one');
    expect(await runBuild(s.session)).toMatchObject({ outcome: 'Succeeded' });
    expect(await runBuild(s.session)).toMatchObject({
      value: [{ cached: true }, { cached: true }],
    });
  });
});
