import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { afterEach, describe, expect, test } from 'vitest';

import {
  artifactIn,
  type BuildStand,
  buildStand,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { runningPod } from '../../../../test/fixtures/pipeline/hook-stand.ts';
import { containerHook, shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { expectUnpackedBy } from '../../../../test/fixtures/pipeline/unpack-archive.ts';
import type { ExecPort } from '../../../handlers/exec.ts';
import { joinPaths, relativePath } from '../config/paths.ts';
import type { StageHooks } from '../hooks/model.ts';
import { planSync } from './plan-sync.ts';
import { runSync, type SyncResult } from './run-sync.ts';

const stands: BuildStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

const MANUAL = [{ src: 'src/**', dest: 'app', strip: 'src/' }];
const NONE: StageHooks = { before: [], after: [], onError: [], finally: [] };

const syncHook = (script: string, at: 'before' | 'after' | 'onError' | 'finally' = 'after') =>
  shell(script, { phase: 'sync', when: at, address: `sync/web/${at}/0` });

interface Shop {
  readonly stand: BuildStand;
  /** The path on this machine of a container's file: each container has its files in a directory. */
  readonly inContainer: (container: string, path: string) => string;
  readonly commands: string[];
  /** Syncs changed and deleted files, named relative to the context. */
  readonly sync: (modified: readonly string[], deleted?: readonly string[]) => Promise<SyncResult>;
}

interface Wishes {
  readonly hooks?: Partial<StageHooks>;
  readonly pods?: () => readonly Pod[];
  /** The answer that replaces the run of a command in this pod; null: the command runs. */
  readonly answer?: (pod: string) => Awaited<ReturnType<ExecPort>> | null;
  readonly compat?: boolean;
}

function shop(wishes: Wishes = {}): Shop {
  const commands: string[] = [];
  const pods = wishes.pods ?? (() => [runningPod('web-1', ['web'])]);
  const stand: BuildStand = buildStand({
    options: { compat: wishes.compat ?? false },
    context: {
      cluster: {
        pods: () => Promise.resolve(pods()),
        exec: (options) => {
          commands.push(`${options.pod} ${options.command[2] ?? ''}`);
          const answer = wishes.answer?.(options.pod) ?? null;
          if (answer !== null) return Promise.resolve(answer);
          return runHere(options, folderOf(options.pod));
        },
      },
    },
  });
  stands.push(stand);
  const folderOf = (pod: string): string => {
    const folder = join(stand.folder, 'containers', pod);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const context = join(stand.folder, 'web');
  const hooks = { ...NONE, ...wishes.hooks };
  const artifact = artifactIn(context, 'web', {
    sync: { mode: 'manual', manual: MANUAL, infer: [], hooks },
  });
  const [module] = stand.session.config.modules;
  if (module === undefined) throw new Error('the stand has a module');
  const built = {
    module,
    artifact,
    image: 'web',
    reference: 'web:1',
    id: 'sha256:1',
    cached: false,
  };
  return {
    stand,
    commands,
    inContainer: (container, path) => join(folderOf(container), path),
    sync: (modified, deleted = []) => {
      const changes = {
        modified: modified.map((name) => join(context, name)),
        deleted: deleted.map((name) => join(context, name)),
      };
      const plan = planSync(artifact, { ...changes, present: [] }, () => null);
      if (plan.kind !== 'sync') throw new Error(plan.reason);
      return runSync(stand.session, { built, deployed: { namespaces: ['shop'] }, changes, plan });
    },
  };
}

/** Runs the command of a container on this machine, in the directory that stands for the container. */
async function runHere(
  { command, stdin }: Parameters<ExecPort>[0],
  cwd: string,
): ReturnType<ExecPort> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { cwd, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.on('error', () => undefined);
  for await (const bytes of stdin ?? []) child.stdin.write(bytes);
  child.stdin.end();
  const exitCode = await new Promise<number>((done) => {
    child.once('exit', (code) => {
      done(code ?? -1);
    });
  });
  return { outcome: 'exited', exitCode };
}

describe('a sync', () => {
  test('copies changed files into every container of the image, and removes deleted ones', async () => {
    const pods = [runningPod('web-1', ['web']), runningPod('web-2', ['web', 'other'])];
    const s = shop({ pods: () => pods });
    s.stand.write('web/src/a.txt', 'hello');
    s.stand.write('web/src/b/c.sh', 'run', 0o755);
    for (const pod of ['web-1', 'web-2']) {
      mkdirSync(s.inContainer(pod, 'app'));
      writeFileSync(s.inContainer(pod, 'app/gone'), '');
    }
    expect(await s.sync(['src/a.txt', 'src/b/c.sh'], ['src/gone'])).toMatchObject({
      outcome: 'Succeeded',
    });
    for (const pod of ['web-1', 'web-2']) {
      expect(readFileSync(s.inContainer(pod, 'app/a.txt'), 'utf8')).toBe('hello');
      expect(readFileSync(s.inContainer(pod, 'app/b/c.sh'), 'utf8')).toBe('run');
      expect(existsSync(s.inContainer(pod, 'app/gone'))).toBe(false);
    }
    expect(s.commands).toHaveLength(4);
  });

  test('runs before and after hooks on the host and in the container, with the synced paths (PIPE-CASE35)', async () => {
    const show =
      'echo "$SYNC_FILES"; cat "$LIFEHOOK_SYNC_FILES_JSON"; echo " $IMAGE$SKAFFOLD_IMAGE"';
    const inside = containerHook(
      { command: ['sh', '-c', 'cp app/a copied'] },
      { phase: 'sync', address: 'sync/web/after/1' },
    );
    const s = shop({
      hooks: { before: [syncHook('printf b', 'before')], after: [syncHook(show), inside] },
    });
    s.stand.write('web/src/a', 'A');
    s.stand.write('web/src/x;y', 'XY');
    expect(await s.sync(['src/a', 'src/x;y'])).toMatchObject({ outcome: 'Succeeded' });
    const [a, xy] = [join(s.stand.folder, 'web/src/a'), join(s.stand.folder, 'web/src/x;y')];
    expect(s.stand.lines()).toEqual([
      'sync/web/before/0: b',
      `sync/web/after/0: ${a};${xy}`,
      `sync/web/after/0: ["${a}","${xy}"] web:1`,
    ]);
    expect(readFileSync(s.inContainer('web-1', 'copied'), 'utf8')).toBe('A');
  });

  test.each([
    [false, (context: string) => `${context}/src/a ${context}/src/b`],
    [true, () => 'src/a src/b'],
  ])(
    'with --compat=%s passes the lists of changed and deleted files to hooks',
    async (compat, lists) => {
      const show = 'echo "$SKAFFOLD_FILES_ADDED_OR_MODIFIED $SKAFFOLD_FILES_DELETED"';
      const s = shop({ compat, hooks: { after: [syncHook(show)] } });
      s.stand.write('web/src/a', 'A');
      await s.sync(['src/a'], ['src/b']);
      const context = join(s.stand.folder, 'web');
      expect(s.stand.lines()).toEqual([`sync/web/after/0: ${lists(context)}`]);
    },
  );

  test('runs a hook with paths only when one of them is synced', async () => {
    const only = {
      ...syncHook('echo css'),
      policy: { ...syncHook('').policy, paths: ['src/*.css'] },
    };
    const s = shop({ hooks: { after: [only] } });
    s.stand.write('web/src/a.js', '');
    s.stand.write('web/src/a.css', '');
    await s.sync(['src/a.js']);
    expect(s.stand.lines()).toEqual([]);
    await s.sync(['src/a.css']);
    expect(s.stand.lines()).toEqual(['sync/web/after/0: css']);
  });

  test('2.5: sends nothing when a before hook fails, and returns its exit code', async () => {
    const s = shop({ hooks: { before: [syncHook('echo once; exit 4', 'before')] } });
    s.stand.write('web/src/a', 'A');
    expect(await s.sync(['src/a'])).toMatchObject({ outcome: 'Failed', exitCode: 4 });
    expect(s.commands).toEqual([]);
    expect(s.stand.lines()).toEqual(['sync/web/before/0: once']);
  });

  test('retries a lost connection, separately for each container', async () => {
    let lost = 0;
    const s = shop({
      pods: () => [runningPod('web-1', ['web']), runningPod('web-2', ['web'])],
      answer: (pod) => {
        if (pod !== 'web-2' || lost === 2) return null;
        lost += 1;
        return { outcome: 'unknown', cause: 'lost', reason: 'the connection broke' };
      },
    });
    s.stand.write('web/src/a', 'A');
    expect(await s.sync(['src/a'])).toMatchObject({ outcome: 'Succeeded' });
    expect(s.commands.map((one) => one.split(' ')[0])).toEqual([
      'web-1',
      'web-2',
      'web-2',
      'web-2',
    ]);
  });

  test.each([
    ['is lost for good', { outcome: 'unknown', cause: 'lost', reason: 'it broke' } as const, 3],
    ['has no tar', { outcome: 'exited', exitCode: 127 } as const, 1],
  ])('2.5: falls back to a build when a container %s', async (_title, end, times) => {
    const s = shop({ answer: () => end });
    s.stand.write('web/src/a', 'A');
    expect(await s.sync(['src/a'])).toMatchObject({ outcome: 'Rebuild' });
    expect(s.commands).toHaveLength(times);
  });

  test('falls back to a build without any hook when no container runs the image', async () => {
    const hooks = {
      before: [syncHook('echo before', 'before')],
      after: [syncHook('echo after')],
      onError: [syncHook('echo undo', 'onError')],
    };
    const s = shop({ pods: () => [], hooks });
    s.stand.write('web/src/a', 'A');
    expect(await s.sync(['src/a'])).toEqual({
      outcome: 'Rebuild',
      reason: 'no container runs its image',
    });
    expect(s.stand.lines()).toEqual([]);
  });

  test('waits for a container that is about to start (PIPE-B2)', async () => {
    let looks = 0;
    const s = shop({
      pods: () => {
        looks += 1;
        return [runningPod('web-1', ['web'], looks < 3 ? 'waiting' : 'running')];
      },
    });
    s.stand.write('web/src/a', 'A');
    expect(await s.sync(['src/a'])).toMatchObject({ outcome: 'Succeeded' });
    // Four reads of the pods: two while the container waits, one that finds it running, and one by the delivery.
    expect(looks).toBe(4);
  });

  test('falls back to a build when a changed file no longer exists', async () => {
    expect(await shop().sync(['src/never'])).toMatchObject({ outcome: 'Rebuild' });
  });
});

describe('an archive for a container', () => {
  test('is unpacked whole by tar', () => {
    expectUnpackedBy('tar');
  });
});

describe('paths in a container', () => {
  test.each([
    ['lib', 'a.js', 'lib/a.js'],
    ['.', 'a', 'a'],
    ['/x/../y', './a', '/y/a'],
    ['', '../a', '../a'],
    ['a/../..', 'b', '../b'],
    ['/..', 'b', '/b'],
  ])('%s joined with %s is %s', (base, path, joined) => {
    expect(joinPaths(base, path)).toBe(joined);
  });

  test.each([
    ['/srv/app', '/srv/lib/a', '../lib/a'],
    ['/', '/a/b', 'a/b'],
    ['/app', '/', '..'],
    ['/app', '/app', ''],
  ])('relative from %s to %s is %s', (from, to, relative) => {
    expect(relativePath(from, to)).toBe(relative);
  });
});
