import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

import { plainDocker } from '../../../../test/fixtures/pipeline/docker-builder.ts';
import {
  artifactIn,
  type BuildStand,
  buildStand,
  customBuilder,
  NO_HOOKS,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { nodePathWatching } from '../../../platform/path-watching.ts';
import type { Builder, TestConfig } from '../config/model.ts';
import type { PipelineSession } from '../session.ts';
import { changesOf } from './snapshot.ts';
import { SourceWatch } from './source-watch.ts';

const stands: BuildStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

const ignoring = (...ignore: string[]): Builder => ({ kind: 'folder', path: '.', ignore, env: {} });

function stand(builder: Builder = ignoring()): BuildStand {
  const made = buildStand({
    artifactsIn: (folder) => [artifactIn(join(folder, 'web'), 'web', { builder })],
  });
  stands.push(made);
  made.write('web/a', 'one');
  made.write('web/deep/b', 'one');
  made.write('skaffold.yaml', 'x');
  return made;
}

/**
 * The changed and deleted files, as names in the context of the image. On a busy machine the hints of one change may
 * arrive separately, so this repeats until `count` files have changed.
 */
async function seenAfter(
  { session, folder }: BuildStand,
  change: () => void,
  count: number = 1,
): Promise<{ readonly hinted: readonly string[]; readonly changes: string[] }> {
  await using watch = await SourceWatch.open(session, nodePathWatching);
  const before = watch.snapshot;
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const named = (path: string): string => path.slice(`${folder}/web/`.length);
  change();
  for (;;) {
    const hinted = await watch.next(patience);
    const { modified, deleted } = changesOf('artifact/web', before, watch.snapshot);
    const changes = [...modified.map(named), ...deleted.map((path) => `-${named(path)}`)];
    if (changes.length >= count || hinted === null) {
      return { hinted: (hinted ?? []).map(named), changes };
    }
  }
}

const PATIENCE_MS = 60_000;

function kustomizedSession({ session }: BuildStand): PipelineSession {
  const [module] = session.config.modules;
  if (module === undefined) throw new Error('there is no module');
  const manifests = { ...module.manifests, kustomize: { paths: ['dev'], buildArgs: [] } };
  return { ...session, config: { ...session.config, modules: [{ ...module, manifests }] } };
}

describe('the watched files of a session', () => {
  test('are reported when their content changes', async () => {
    const s = stand();
    const { changes } = await seenAfter(s, () => s.write('web/deep/b', 'two'));
    expect(changes).toEqual(['deep/b']);
  });

  test('PIPE-CASE23: are hinted but not changed when they are rewritten with the same content', async () => {
    const s = stand();
    const { hinted, changes } = await seenAfter(s, () => s.write('web/a', 'one'), 0);
    expect(hinted).toEqual(['a']);
    expect(changes).toEqual([]);
  });

  test('are reported when they are created, also in a new directory, or deleted', async () => {
    const s = stand();
    const { changes } = await seenAfter(
      s,
      () => {
        s.write('web/new/folder/c', 'new');
        rmSync(join(s.folder, 'web/a'));
      },
      2,
    );
    expect(changes).toEqual(['new/folder/c', '-a']);
  });

  test.each([
    [
      'renames a new file over the old one',
      (path: string) => {
        writeFileSync(`${path}.tmp`, 'two');
        renameSync(`${path}.tmp`, path);
      },
    ],
    [
      'moves the old file away, writes a new one and removes the old',
      (path: string) => {
        renameSync(path, `${path}~`);
        writeFileSync(path, 'two');
        rmSync(`${path}~`);
      },
    ],
    [
      'removes the file and writes it again',
      (path: string) => {
        rmSync(path);
        writeFileSync(path, 'two');
      },
    ],
  ])('are reported as one change when an editor %s', async (_title, save) => {
    const s = stand();
    const { changes } = await seenAfter(s, () => {
      save(join(s.folder, 'web/a'));
    });
    expect(changes).toEqual(['a']);
  });

  test('exclude ignored paths, .git and .lifehook', async () => {
    const s = stand(ignoring('node_modules'));
    const { hinted } = await seenAfter(s, () => {
      s.write('web/node_modules/x/y', 'new');
      s.write('web/.git/index', 'new');
      s.write('web/.lifehook/journal', 'new');
      s.write('web/a', 'two');
    });
    expect(hinted).toEqual(['a']);
  });

  test('include lifehook.yaml in a group of its own', async () => {
    const s = stand();
    await using watch = await SourceWatch.open(s.session, nodePathWatching);
    const before = watch.snapshot;
    s.write('lifehook.yaml', 'new');
    await watch.next(AbortSignal.timeout(PATIENCE_MS));
    const changes = changesOf('config', before, watch.snapshot);
    expect(changes.modified).toEqual([join(s.folder, 'lifehook.yaml')]);
  });

  test('include a file in a directory that is created later', async () => {
    const s = stand(customBuilder('true'));
    const { changes } = await seenAfter(s, () => {
      mkdirSync(join(s.folder, 'web/later'));
      s.write('web/later/d', 'new');
    });
    expect(changes).toEqual(['later/d']);
  });

  test('include kustomize bases, also one that is added later', async () => {
    // The builder ignores k8s, but kustomize reads it, so the watch must not ignore it.
    const s = stand(ignoring('k8s'));
    s.write('dev/kustomization.yaml', 'resources: [../web/k8s]');
    s.write('web/k8s/kustomization.yaml', 'resources: []');
    s.write('later/kustomization.yaml', 'resources: []');
    await using watch = await SourceWatch.open(kustomizedSession(s), nodePathWatching);
    const changedBy = async (name: string, text: string): Promise<readonly string[]> => {
      const before = watch.snapshot;
      s.write(name, text);
      await watch.next(AbortSignal.timeout(PATIENCE_MS));
      const { modified } = changesOf('manifests', before, watch.snapshot);
      return modified.map((path) => path.slice(s.folder.length + 1));
    };
    expect(await changedBy('web/k8s/new.yaml', 'one')).toEqual(['web/k8s/new.yaml']);
    expect(await changedBy('dev/kustomization.yaml', 'resources: [../later]')).toEqual([
      'dev/kustomization.yaml',
      'later/kustomization.yaml',
    ]);
    expect(await changedBy('later/web.yaml', 'one')).toEqual(['later/web.yaml']);
  });

  test('include a file that appears below a new base before the base is watched', async () => {
    const s = stand(ignoring('k8s'));
    s.write('dev/kustomization.yaml', 'resources: []');
    s.write('later/kustomization.yaml', 'resources: []');
    await using watch = await SourceWatch.open(kustomizedSession(s), {
      watch: async (roots, options) => {
        const made = await nodePathWatching.watch(roots, options);
        return {
          ...made,
          add: async (paths) => {
            s.write('later/web.yaml', 'one');
            await made.add(paths);
          },
        };
      },
    });
    s.write('dev/kustomization.yaml', 'resources: [../later]');
    await watch.next(AbortSignal.timeout(PATIENCE_MS));
    expect(watch.snapshot.groups.get('manifests')).toContain(join(s.folder, 'later/web.yaml'));
  });

  test('include a Dockerfile outside of its context, and files outside that a command names later', async () => {
    const docker = { ...plainDocker, dockerfile: '../docker/Dockerfile' };
    const command = { kind: 'command', command: 'cat list' } as const;
    const custom: Builder = { kind: 'custom', buildCommand: 'true', dependencies: command };
    const s = buildStand({
      artifactsIn: (folder) => [
        artifactIn(join(folder, 'web'), 'web', { builder: docker }),
        artifactIn(join(folder, 'api'), 'api', { builder: custom }),
      ],
    });
    stands.push(s);
    for (const name of ['web/a', 'docker/Dockerfile', 'lib/x']) s.write(name, 'one');
    s.write('api/list', '[]');
    const roots: string[] = [];
    await using watch = await SourceWatch.open(s.session, {
      watch: async (first, { onHint }) => {
        roots.push(...first);
        s.write('api/list', '["list", "../lib/x"]');
        onHint(join(s.folder, 'api/list'));
        const add = async (more: readonly string[]): Promise<void> => {
          roots.push(...more);
        };
        return { add, close: async () => undefined };
      },
    });
    await watch.next(AbortSignal.timeout(PATIENCE_MS));
    expect(roots.map((root) => root.slice(s.folder.length + 1))).toEqual(
      expect.arrayContaining(['docker/Dockerfile', 'lib/x']),
    );
  });

  test('include declared inputs that another image ignores', async () => {
    const hook = shell('true', { policy: { inputs: ['schema/*.sql'] } });
    const s = buildStand({
      artifactsIn: (folder) => [
        artifactIn(join(folder, 'web'), 'web', { hooks: { ...NO_HOOKS, before: [hook] } }),
        artifactIn(folder, 'all', { builder: ignoring('schema') }),
      ],
    });
    stands.push(s);
    s.write('schema/a.sql', 'one');
    let ignores = (_path: string): boolean => true;
    const none = { add: async () => undefined, close: async () => undefined };
    await using _watch = await SourceWatch.open(s.session, {
      watch: async (_roots, { ignored }) => {
        ignores = ignored;
        return none;
      },
    });
    expect(ignores(join(s.folder, 'schema/a.sql'))).toBe(false);
    expect(ignores(join(s.folder, 'schema'))).toBe(false);
  });

  test('include the dependencies of the tests that two modules have for one image', async () => {
    const s = stand();
    const [module] = s.session.config.modules;
    if (module === undefined) throw new Error('there is no module');
    const testOf = (name: string): TestConfig => ({
      image: 'web',
      context: s.folder,
      custom: [
        {
          command: 'true',
          timeoutSeconds: null,
          dependencies: { kind: 'paths', paths: [name], ignore: [] },
        },
      ],
      structureTests: [],
      structureTestsArgs: [],
    });
    for (const name of ['one', 'two']) s.write(`tests/${name}`, name);
    const modules = ['one', 'two'].map((name) => ({ ...module, test: [testOf(`tests/${name}`)] }));
    const session = { ...s.session, config: { ...s.session.config, modules } };
    await using watch = await SourceWatch.open(session, nodePathWatching);
    const files = [...watch.snapshot.groups].flatMap(([key, paths]) =>
      key.startsWith('test/web/') ? paths : [],
    );
    expect(files).toEqual(['one', 'two'].map((name) => join(s.folder, 'tests', name)));
  });

  test('give null when the signal aborts before a change', async () => {
    await using watch = await SourceWatch.open(stand().session, nodePathWatching);
    expect(await watch.next(AbortSignal.timeout(20))).toBeNull();
  });
});
