import { describe, expect, it } from 'vitest';

import { LifehookError } from '../../../model/problem.ts';
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
