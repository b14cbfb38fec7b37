import { describe, expect, it, test } from 'vitest';

import {
  artifactIn,
  buildStand,
  customBuilder,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { LifehookError } from '../../../model/problem.ts';
import { choosePlatforms } from './choose-modules.ts';
import type { Artifact, ModuleConfig } from './model.ts';
import { readPipeline } from './read-pipeline.ts';

const module = (name: string, ...requires: readonly string[]): string =>
  [
    'apiVersion: skaffold/v4beta11',
    'kind: Config',
    `metadata: { name: ${name} }`,
    `requires: [${requires.map((one) => `{ configs: [${one}] }`).join(', ')}]`,
    `build: { artifacts: [{ image: ${name}, hooks: { before: [{ command: [true] }] } }] }`,
    '',
  ].join('\n');

const SHOP = ['db:', 'web:', 'app:db', 'all:app,web']
  .map((one) => {
    const [name = '', requires = ''] = one.split(':');
    return module(name, ...requires.split(',').filter((each) => each !== ''));
  })
  .join('---\n');

async function namesOf(...modules: readonly string[]): Promise<readonly (string | null)[]> {
  const { config } = await read(modules);
  return config.modules.map(({ name }) => name);
}

function read(modules: readonly string[]): ReturnType<typeof readPipeline> {
  return readPipeline({
    file: '/p/skaffold.yaml',
    profiles: [],
    modules,
    env: {},
    command: 'build',
    facts: {
      readText: (path) => Promise.resolve(path === '/p/skaffold.yaml' ? SHOP : null),
      isFolder: () => Promise.resolve(false),
      kubeContext: () => Promise.resolve(null),
    },
  });
}

describe('--module', () => {
  it('keeps the named modules and the modules that they require, in file order', async () => {
    expect(await namesOf('app')).toEqual(['db', 'app']);
    expect(await namesOf('web', 'db')).toEqual(['db', 'web']);
    expect(await namesOf('all')).toEqual(['db', 'app', 'web', 'all'].toSorted(byPlace));
    expect(await namesOf()).toHaveLength(4);
  });

  it('keeps the address of each hook', async () => {
    const { config } = await read(['web']);
    const [hook] = config.modules[0]?.build.artifacts[0]?.hooks.before ?? [];
    expect(hook?.address).toBe('web:build/web/before/0');
  });

  it('refuses an unknown module name and names a module that exists', async () => {
    const refused = await read(['ap']).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(LifehookError);
    expect((refused as LifehookError).problems).toMatchObject([
      { code: 'LHL130', message: 'There is no module "ap".', next: expect.stringContaining('app') },
    ]);
  });
});

const PLACES = ['db', 'web', 'app', 'all'];

function byPlace(a: string, b: string): number {
  return PLACES.indexOf(a) - PLACES.indexOf(b);
}

function modulesWith(...artifacts: readonly Partial<Artifact>[]): readonly ModuleConfig[] {
  const builder = customBuilder('true');
  const stand = buildStand({
    artifacts: artifacts.map((more, index) =>
      artifactIn('/p', `image-${index}`, { builder, ...more }),
    ),
  });
  stand.remove();
  return stand.session.config.modules;
}

const platformsOf = ([chosen]: readonly ModuleConfig[]): unknown =>
  chosen?.build.artifacts.map(({ platforms }) => platforms);

test('an image is built for the platforms of the command line that it may be built for', () => {
  const modules = modulesWith({}, { platforms: ['linux/amd64', 'linux/386'] });
  const chosen = choosePlatforms(modules, ['linux/amd64', 'linux/arm64']);
  expect(chosen.problems).toEqual([]);
  expect(platformsOf(chosen.modules)).toEqual([['linux/amd64', 'linux/arm64'], ['linux/amd64']]);
  expect(choosePlatforms(modules, [])).toEqual({ modules, problems: [] });
});

test('a platform for which an image is not built, and one of a directory, are refused at the image', () => {
  const folder = { kind: 'folder', path: '.', ignore: [], env: {} } as const;
  const modules = modulesWith({ platforms: ['linux/amd64'] }, { builder: folder });
  const { problems } = choosePlatforms(modules, ['linux/arm64']);
  expect(problems).toMatchObject([
    { code: 'LHL137', message: expect.stringContaining('image-0 is built only for linux/amd64') },
    { code: 'LHL137', at: { line: 5 }, message: expect.stringContaining('image-1 is a directory') },
  ]);
});
