import { describe, expect, test } from 'vitest';

import {
  type Contract,
  type ContractInput,
  makeContract,
  MAX_VARIABLE_BYTES,
  type PhaseFacts,
  type SessionFacts,
} from './contract.ts';
import { hookEnvironment } from './environment.ts';

const bareSession: SessionFacts = { workDir: '/p', profiles: [] };
const build: PhaseFacts = {
  kind: 'build',
  image: 'ghcr.io/acme/team/web:latest',
  pushImage: true,
  context: '/p/web',
};
const sync: PhaseFacts = {
  kind: 'sync',
  image: 'web:1234',
  context: '/p/web',
  modified: ['/p/web/src/b;c.txt', '/p/web/src/a.txt'],
  deleted: ['/p/web/old.txt'],
};

function contractOf(more: Partial<ContractInput>): Contract {
  return makeContract({ session: bareSession, phase: { kind: 'other' }, compat: false, ...more });
}

describe('the contract of a build hook', () => {
  test('sets exactly the documented names in both spellings (PIPE-C9), and PUSH_IMAGE to "true"', () => {
    const five = {
      IMAGE: 'ghcr.io/acme/team/web:latest',
      PUSH_IMAGE: 'true',
      IMAGE_REPO: 'ghcr.io/acme/team/web',
      IMAGE_TAG: 'latest',
      BUILD_CONTEXT: '/p/web',
    };
    expect(contractOf({ phase: build }).set).toEqual({
      ...five,
      SKAFFOLD_IMAGE: five.IMAGE,
      SKAFFOLD_PUSH_IMAGE: 'true',
      SKAFFOLD_IMAGE_REPO: five.IMAGE_REPO,
      SKAFFOLD_IMAGE_TAG: 'latest',
      SKAFFOLD_BUILD_CONTEXT: '/p/web',
      SKAFFOLD_WORK_DIR: '/p',
      SKAFFOLD_PROFILES: '',
    });
  });

  test.each([
    ['ghcr.io/acme/team/web:latest', 'ghcr.io/acme/team/web', 'ghcr.io/acme/team'],
    ['web:latest', 'web', ''],
    ['localhost:5000/web', 'localhost:5000/web', 'localhost:5000'],
    ['gcr.io/image1:tag@sha256:00ff', 'gcr.io/image1', 'gcr.io'],
  ])('PIPE-CASE12: IMAGE_REPO of %s is %s, and %j in compat', (image, repo, compatRepo) => {
    const { set } = contractOf({ phase: { ...build, image } });
    expect([set['IMAGE_REPO'], set['SKAFFOLD_IMAGE_REPO']]).toEqual([repo, repo]);
    const compat = contractOf({ phase: { ...build, image }, compat: true });
    expect(compat.set['SKAFFOLD_IMAGE_REPO']).toBe(compatRepo);
  });

  test.each([
    ['gcr.io/image1:tag@sha256:00ff', 'tag'],
    ['localhost:5000/web', undefined],
  ])('IMAGE_TAG of %s is %s', (image, tag) => {
    expect(contractOf({ phase: { ...build, image } }).set['IMAGE_TAG']).toBe(tag);
  });

  test('sets no image variables around the whole build, and empty ones in compat', () => {
    const { set, unset } = contractOf({ phase: { kind: 'whole-build' } });
    expect(set).not.toHaveProperty('IMAGE');
    expect(unset).toContain('IMAGE');
    const compat = contractOf({ phase: { kind: 'whole-build' }, compat: true });
    expect(compat.set).toMatchObject({ IMAGE: '', SKAFFOLD_PUSH_IMAGE: 'false' });
  });
});

describe('the contract of every hook', () => {
  const all: SessionFacts = {
    workDir: '/p',
    profiles: ['a', 'b'],
    defaultRepo: 'gcr.io/p',
    multiLevelRepo: false,
    rpcPort: 50051,
    httpPort: 50052,
    kubeContext: 'kind',
    namespaces: ['np1', 'np2', 'np3'],
  };

  test('PIPE-CASE15: namespaces and profiles are joined with commas', () => {
    expect(contractOf({ session: all }).set).toEqual({
      SKAFFOLD_WORK_DIR: '/p',
      SKAFFOLD_PROFILES: 'a,b',
      SKAFFOLD_DEFAULT_REPO: 'gcr.io/p',
      SKAFFOLD_MULTI_LEVEL_REPO: 'false',
      SKAFFOLD_RPC_PORT: '50051',
      SKAFFOLD_HTTP_PORT: '50052',
      SKAFFOLD_KUBE_CONTEXT: 'kind',
      SKAFFOLD_NAMESPACES: 'np1,np2,np3',
    });
  });

  test('PIPE-CASE13: leaves unknown values unset instead of empty, also when the caller sets them (PIPE-C10)', () => {
    const { set, unset } = contractOf({});
    expect(Object.keys(set)).toEqual(['SKAFFOLD_WORK_DIR', 'SKAFFOLD_PROFILES']);
    const env = hookEnvironment({
      caller: { SKAFFOLD_DEFAULT_REPO: 'evil', HOME: '/h', IMAGE: 'mine' },
      values: {},
      own: {},
      contract: { set, unset },
      compat: false,
    });
    // A phase without an image does not define IMAGE, so the caller's variable of that name stays.
    expect(env).toEqual({ HOME: '/h', IMAGE: 'mine', ...set });
  });

  test('sets the kube context in a build, but neither kube context nor profiles in compat', () => {
    expect(contractOf({ session: all, phase: build }).set['SKAFFOLD_KUBE_CONTEXT']).toBe('kind');
    const { set } = contractOf({ session: all, phase: build, compat: true });
    expect(set).not.toHaveProperty('SKAFFOLD_KUBE_CONTEXT');
    expect(set).not.toHaveProperty('SKAFFOLD_PROFILES');
  });

  test('PIPE-CASE16: overrides the environment of the caller, which overrides it in compat', () => {
    const parts = {
      caller: { SKAFFOLD_IMAGE: 'evil', A: '1', B: '1' },
      values: { A: '2', B: '2' },
      own: { B: '3' },
    };
    const contract = contractOf({ phase: build });
    const env = hookEnvironment({ ...parts, contract, compat: false });
    expect(env).toMatchObject({ SKAFFOLD_IMAGE: 'ghcr.io/acme/team/web:latest', A: '2', B: '3' });
    expect(hookEnvironment({ ...parts, contract, compat: true })['SKAFFOLD_IMAGE']).toBe('evil');
  });

  test('sets the run id in deploy', () => {
    const { set } = contractOf({ phase: { kind: 'deploy', runId: '0f-1' } });
    expect(set['SKAFFOLD_RUN_ID']).toBe('0f-1');
  });
});

describe('PIPE-C9, PIPE-C10: the names of the contract that are not set', () => {
  const BARE = ['IMAGE', 'PUSH_IMAGE', 'IMAGE_REPO', 'IMAGE_TAG', 'BUILD_CONTEXT'];
  const unset = (phase: PhaseFacts, name: string): boolean =>
    contractOf({ phase }).unset.includes(name);

  test('are unset where the phase defines them, and else left to the caller', () => {
    for (const name of BARE) {
      expect([name, unset({ kind: 'whole-build' }, name)]).toEqual([name, true]);
      for (const phase of [{ kind: 'other' }, { kind: 'deploy', runId: 'r' }, sync] as const) {
        expect([name, unset(phase, name)]).toEqual([name, false]);
      }
    }
    expect(unset({ ...build, image: 'web' }, 'IMAGE_TAG')).toBe(true);
    expect(unset(build, 'IMAGE')).toBe(false);
    expect([unset(build, 'SYNC_FILES'), unset({ kind: 'other' }, 'SYNC_FILES')]).toEqual([
      false,
      false,
    ]);
    expect(unset({ kind: 'other' }, 'SKAFFOLD_IMAGE')).toBe(true);
  });

  test('are empty around a whole build in compat, with both spellings', () => {
    const { set } = contractOf({ phase: { kind: 'whole-build' }, compat: true });
    for (const name of BARE) {
      const value = name === 'PUSH_IMAGE' ? 'false' : '';
      expect([set[name], set[`SKAFFOLD_${name}`]]).toEqual([value, value]);
    }
  });

  test('give a hook around a whole build no cluster in compat, and one of a deploy of it', () => {
    const session = { ...bareSession, kubeContext: 'kind', namespaces: ['a'] };
    const cluster = (phase: PhaseFacts): unknown => {
      const { set } = contractOf({ session, phase, compat: true });
      return [set['SKAFFOLD_KUBE_CONTEXT'], set['SKAFFOLD_NAMESPACES']];
    };
    expect(cluster({ kind: 'whole-build' })).toEqual([undefined, undefined]);
    expect(cluster({ kind: 'deploy', runId: 'r' })).toEqual(['kind', 'a']);
  });

  test('have relative paths in compat only below the context', () => {
    const modified = ['/p/web/a', '/p/website/b'];
    const { set } = contractOf({ phase: { ...sync, modified }, compat: true });
    expect(set['SKAFFOLD_FILES_ADDED_OR_MODIFIED']).toBe('a;/p/website/b');
  });
});

describe('the contract of a sync hook', () => {
  test('lists all changed files by absolute path, as text and as JSON (PIPE-CASE35)', () => {
    const { set, syncFilesJson } = contractOf({ phase: sync });
    const files = '/p/web/old.txt;/p/web/src/a.txt;/p/web/src/b;c.txt';
    expect(set).toMatchObject({
      SYNC_FILES: files,
      SKAFFOLD_SYNC_FILES: files,
      SKAFFOLD_FILES_ADDED_OR_MODIFIED: '/p/web/src/a.txt;/p/web/src/b;c.txt',
      SKAFFOLD_FILES_DELETED: '/p/web/old.txt',
      SKAFFOLD_IMAGE: 'web:1234',
      SKAFFOLD_BUILD_CONTEXT: '/p/web',
    });
    expect(set).not.toHaveProperty('IMAGE');
    expect(JSON.parse(syncFilesJson ?? '')).toEqual([
      '/p/web/old.txt',
      '/p/web/src/a.txt',
      '/p/web/src/b;c.txt',
    ]);
  });

  test('has relative paths in the given order in compat', () => {
    const { set } = contractOf({ phase: sync, compat: true });
    expect(set['SKAFFOLD_FILES_ADDED_OR_MODIFIED']).toBe('src/b;c.txt;src/a.txt');
    expect(set['SKAFFOLD_FILES_DELETED']).toBe('old.txt');
  });

  test('leaves out a variable that is too long for the environment, but keeps the JSON list', () => {
    const modified = [`/p/web/${'x'.repeat(MAX_VARIABLE_BYTES)}`];
    const { set, unset, syncFilesJson } = contractOf({ phase: { ...sync, modified } });
    expect(set).not.toHaveProperty('SYNC_FILES');
    expect(unset).toContain('SYNC_FILES');
    expect(syncFilesJson).toContain(modified[0]);
  });
});
