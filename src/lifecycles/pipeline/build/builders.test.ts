import { existsSync, lstatSync, readdirSync, symlinkSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';

import {
  artifactIn,
  type BuildStand,
  buildStand,
  folderBuilder,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import type { FolderBuilder } from '../config/model.ts';
import type { ImageImport, ImagePort } from '../session.ts';
import { buildImage } from './builders.ts';
import { retag } from './deliver.ts';

const stands: BuildStand[] = [];
const imported: (ImageImport & { readonly names: readonly string[] })[] = [];

const images: ImagePort = {
  importImage: (request) => {
    imported.push({ ...request, names: readdirSync(request.from).toSorted() });
    return Promise.resolve('sha256:1');
  },
  idOf: () => Promise.resolve(null),
  tag: () => Promise.reject(new Error('nothing is given another name here')),
};

function standOf(...more: Parameters<typeof buildStand>): BuildStand {
  const made = buildStand(...more);
  stands.push(made);
  made.write('web/a', 'a', 0o755);
  made.write('web/b.map', 'b');
  symlinkSync('a', `${made.folder}/web/link`);
  return made;
}

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
  imported.splice(0);
});

const build = (s: BuildStand, builder: FolderBuilder): ReturnType<typeof buildImage> =>
  buildImage(
    {
      artifact: { ...artifactIn(`${s.folder}/web`, 'web'), builder },
      reference: 'web:v1',
      push: false,
      required: {},
    },
    s.session,
  );

const plain = folderBuilder() as FolderBuilder;

test('a directory builder without ignore imports the directory itself, with command, env and workingDir', async () => {
  const s = standOf({ images });
  const builder = { ...plain, command: ['/a'], env: { A: '1' }, workingDir: '/' };
  expect(await build(s, builder)).toEqual({
    outcome: 'Succeeded',
    value: { id: 'sha256:1', digest: null },
  });
  const config = { command: ['/a'], env: { A: '1' }, workingDir: '/' };
  expect(imported).toMatchObject([{ from: `${s.folder}/web`, reference: 'web:v1', config }]);
});

test('a directory builder with ignore imports a copy without the ignored files, and removes the copy', async () => {
  const s = standOf({ images });
  const builder = { ...plain, ignore: ['*.map'] };
  expect(await build(s, builder)).toEqual({
    outcome: 'Succeeded',
    value: { id: 'sha256:1', digest: null },
  });
  const [copy] = imported;
  expect(copy?.names).toEqual(['a', 'link']);
  expect(existsSync(copy?.from ?? '')).toBe(false);
  expect(lstatSync(`${s.folder}/web/b.map`).isFile()).toBe(true);
});

test('a directory builder without the local cluster is refused, and an unsupported builder with a next step', async () => {
  const s = standOf();
  await expect(build(s, plain)).rejects.toThrow(
    'LHL305: web is a directory, which only the local cluster accepts',
  );
  const artifact = {
    ...artifactIn(s.folder, 'web'),
    builder: { kind: 'unsupported', name: 'jib', at: { file: '/p', line: 1, column: 1 } },
  } as const;
  const request = { artifact, reference: 'web:v1', push: false, required: {} };
  await expect(buildImage(request, s.session)).rejects.toThrow(
    'Next: Call jib in the buildCommand',
  );
});

test('a cancellation while a container program is searched is no missing program', async () => {
  const s = standOf({ context: { signal: AbortSignal.abort() } });
  const of = { reference: 'web:v1', image: 'web' };
  expect(await retag({ existing: 'web:v0', ...of }, true, s.session)).toMatchObject({
    outcome: 'Cancelled',
    exitCode: 130,
  });
});
