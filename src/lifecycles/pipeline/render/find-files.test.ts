import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';

import { type BuildStand, buildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { posixError } from '../../../platform/posix-error.ts';
import type { PipelineSession } from '../session.ts';
import { findFiles } from './find-files.ts';

function stand(): BuildStand {
  const made = buildStand();
  onTestFinished(made.remove);
  made.write('k8s/a.yaml', 'one');
  made.write('k8s/deep/b.yaml', 'one');
  return made;
}

test('findFiles follows links to directories, but no circle of them', async () => {
  const s = stand();
  s.write('shared/c.yaml', 'one');
  symlinkSync('..', `${s.folder}/k8s/deep/up`);
  symlinkSync('../shared', `${s.folder}/k8s/linked`);
  mkdirSync(`${s.folder}/shared/back`);
  symlinkSync('../../k8s', `${s.folder}/shared/back/k8s`);
  const { files } = await findFiles(s.session.platform.files, s.folder, ['k8s']);
  expect(files.map((path) => path.slice(s.folder.length + 1))).toEqual([
    'k8s/a.yaml',
    'k8s/deep/b.yaml',
    'k8s/linked/c.yaml',
  ]);
});

test('findFiles finds a pipe that is named, but none in a directory', async () => {
  const s = stand();
  execFileSync('mkfifo', [`${s.folder}/k8s/pipe.yaml`]);
  const filesOf = async (pattern: string): Promise<readonly string[]> =>
    (await findFiles(s.session.platform.files, s.folder, [pattern])).files;
  expect(await filesOf('k8s/pipe.yaml')).toEqual([`${s.folder}/k8s/pipe.yaml`]);
  expect(await filesOf('k8s/*.yaml')).toEqual([`${s.folder}/k8s/a.yaml`]);
});

test.each(['EMFILE', 'EIO'])(
  'findFiles rejects instead of omitting manifests when the system refuses with %s',
  async (code) => {
    const s = stand();
    const { files } = s.session.platform;
    const refuse =
      <T>(call: (path: string) => Promise<T>) =>
      (path: string): Promise<T> =>
        path.endsWith('/deep') ? Promise.reject(posixError(code, code)) : call(path);
    const refused = new RegExp(`LHL402: .*${code}`, 'u');
    for (const broken of [
      { list: refuse((path) => files.list(path)) },
      { stat: refuse((path) => files.stat(path)) },
    ]) {
      const finding = findFiles({ ...files, ...broken }, s.folder, ['k8s/**']);
      await expect(finding).rejects.toThrow(refused);
    }
  },
);

test('findFiles rejects instead of omitting the manifests of a directory that we may not read', async () => {
  const s = stand();
  const closed = withClosed(s, 'deep');
  for (const patterns of [['k8s'], ['k8s/**'], ['k8s/*/b.yaml'], ['k8s/deep/*.yaml']]) {
    await expect(findFiles(closed, s.folder, patterns)).rejects.toThrow(
      /LHL402: .*EACCES.*Next: Grant/u,
    );
  }
});

test.each([['k8s/*.yaml'], ['k8s/d?/*.yaml'], ['k8s/a.yaml'], ['k8s/other/**']])(
  'findFiles does not read a directory in which %s cannot match',
  async (pattern) => {
    const s = stand();
    const { files } = await findFiles(withClosed(s, 'deep'), s.folder, [pattern, 'k8s/a.yaml']);
    expect(files).toEqual([`${s.folder}/k8s/a.yaml`]);
  },
);

test('findFiles looks at no entry that cannot match, such as a link to where we may not look', async () => {
  const s = stand();
  const { files } = s.session.platform;
  const closed = {
    ...files,
    stat: (path: string) =>
      path.endsWith('/deep') ? Promise.reject(posixError('EACCES', 'EACCES')) : files.stat(path),
  };
  const found = await findFiles(closed, s.folder, ['k8s/*.yaml']);
  expect(found.files).toEqual([`${s.folder}/k8s/a.yaml`]);
  await expect(findFiles(closed, s.folder, ['k8s/*/*.yaml'])).rejects.toThrow(/LHL402/u);
});

/** Files in which the directories of this name may not be read. */
function withClosed({ session }: BuildStand, name: string): PipelineSession['platform']['files'] {
  const { files } = session.platform;
  return {
    ...files,
    list: (path) =>
      path.endsWith(`/${name}`) ? Promise.reject(posixError('EACCES', 'EACCES')) : files.list(path),
  };
}
