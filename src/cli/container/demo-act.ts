import { chmod, copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { programFolder } from '../program-files.ts';
import { findStaticBusybox, realRuntime } from '../real-runtime.ts';
import type { Shop } from '../demo/shop.ts';
import { type Run, run, type Stage } from '../demo/stage.ts';

/** The stages in their order. Only poststart and the exit of the program may happen in either order. */
const STAGES = ['createRuntime', 'createContainer', 'poststart', 'poststop', 'postexit'];

/**
 * Runs the hook files of a hooks.d directory around a container. The container is a plain process if this machine has
 * no OCI runtime or no static busybox. Stops the customers of the shop first.
 */
export async function play(stage: Stage, { clients }: Shop): Promise<void> {
  await clients.stop();
  const { say, world } = stage;
  say.act('Container: the files of a hooks.d directory decide which hooks run');
  const runtime = await realRuntime();
  const busybox = runtime === null ? null : await findStaticBusybox();
  const runner = runtime === null || busybox === null ? 'process' : 'auto';
  const example = await openContainerExample(join(world.folder, 'container'), { busybox });
  await showLife(stage, example, runner);
  await showFailure(stage, example, runner);
}

async function showLife(stage: Stage, example: ContainerExample, runner: string): Promise<void> {
  const { say } = stage;
  const cwd = example.folder;
  const args = ['oci', 'explain', 'web', '--hooks-dir', 'hooks.d'];
  const explained = await run(stage, args, { cwd });
  const count = (words: string): number => explained.stdout.split(words).length - 1;
  say.claim(
    'two of three hook files apply, and the output says why the third does not',
    count('    injected into') === 2 &&
      count('not injected: the container has no bind mounts') === 1,
  );
  await runOnce(stage, example, { runner, id: 'web-1' });
  const seen = await example.takeAnnouncements();
  const counts = STAGES.map((name) => seen.filter((one) => one.stage === name).length);
  say.claim(
    `their hooks ran once each, at all ${STAGES.length} points of its life`,
    counts.every((times) => times === 1),
    counts.join(', '),
  );
  say.claim(
    'poststop saw a stopped container, and postexit received the exit code',
    find(seen, 'poststop')?.status === 'stopped' && find(seen, 'postexit')?.exit === '0',
  );
}

async function showFailure(stage: Stage, example: ContainerExample, runner: string): Promise<void> {
  const { say } = stage;
  await example.addFailingHook();
  const endsWell = (code: number | null): boolean => code !== 0 && code !== null;
  const output = await runOnce(stage, example, { runner, id: 'web-2', endsWell });
  const seen = await example.takeAnnouncements();
  say.claim(
    'a hook that failed before the start cancelled it: the program did not run',
    find(seen, 'poststart') === undefined && !output.includes('the program itself'),
  );
  say.claim('the poststop hook ran nevertheless', find(seen, 'poststop') !== undefined);
}

async function runOnce(
  stage: Stage,
  { folder }: ContainerExample,
  { runner, id, ...options }: Run & { readonly runner: string; readonly id: string },
): Promise<string> {
  const kept = ['--root', `${stage.world.folder}/kept`, '--runtime-root', `${folder}/runtime`];
  const from = ['--bundle', 'web', '--hooks-dir', 'hooks.d', '--broken-hooks', 'fail'];
  const args = ['oci', 'run', '--runner', runner, ...from, ...kept, id];
  const shown = `lifehook oci run --runner ${runner} --bundle web --hooks-dir hooks.d ${id}`;
  return (await run(stage, args, { ...options, cwd: folder, shown })).output;
}

function find(seen: readonly Announcement[], stage: string): Announcement | undefined {
  return seen.find((one) => one.stage === stage);
}

/** A copy of examples/container, ready to run, and the output of its hooks. */
export interface ContainerExample {
  readonly folder: string;
  /** Adds a hook that fails at createRuntime. */
  addFailingHook(): Promise<void>;
  /** Returns the lines of the example's hook, oldest first, and clears them. */
  takeAnnouncements(): Promise<readonly Announcement[]>;
}

/** One line of the output of announce.sh. */
export interface Announcement {
  readonly stage: string;
  readonly hook: string;
  /** The exit code; "-" before the program has exited. */
  readonly exit: string;
  readonly status: string;
}

/** The path of the hook program in the example's hook files. */
const placeInExample = '/opt/lifehook-example';
const hookFiles = ['10-announce.json', '20-mounts-only.json', '30-exit.json'];

/** `busybox`: the path of the one program in the container; null: the container is a plain process. */
async function openContainerExample(
  folder: string,
  { busybox }: { readonly busybox: string | null },
): Promise<ContainerExample> {
  const example = join(programFolder(), '..', 'examples', 'container');
  const bundle = join(folder, 'web');
  const hooks = join(folder, 'hooks.d');
  await mkdir(bundle, { recursive: true });
  await writeFile(join(bundle, 'config.json'), await readFile(join(example, 'bundle/config.json')));
  await makeRoot(join(bundle, 'rootfs'), busybox);
  await mkdir(hooks);
  for (const name of hookFiles) {
    const text = await readFile(join(example, 'hooks.d', name), 'utf8');
    await writeFile(join(hooks, name), text.replaceAll(placeInExample, folder));
  }
  await copyFile(join(example, 'announce.sh'), join(folder, 'announce.sh'));
  await chmod(join(folder, 'announce.sh'), 0o755);
  return {
    folder,
    addFailingHook: () => writeFile(join(hooks, '15-fails.json'), JSON.stringify(failingHook)),
    takeAnnouncements: () => takeAnnouncements(join(folder, 'announced.log')),
  };
}

const failingHook = {
  version: '1.0.0',
  hook: { path: '/bin/sh', args: ['sh', '-c', 'echo "the address pool is empty" >&2; exit 7'] },
  when: { always: true },
  stages: ['createRuntime'],
};

/**
 * Creates the root directory of the container. Under an OCI runtime the container needs its own programs: one busybox.
 */
async function makeRoot(root: string, busybox: string | null): Promise<void> {
  await mkdir(join(root, 'bin'), { recursive: true });
  await mkdir(join(root, 'proc'));
  if (busybox === null) return;
  await copyFile(busybox, join(root, 'bin', 'busybox'));
  await chmod(join(root, 'bin', 'busybox'), 0o755);
  await symlink('busybox', join(root, 'bin', 'sh'));
}

async function takeAnnouncements(path: string): Promise<readonly Announcement[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  await rm(path, { force: true });
  return text.split('\n').flatMap((line) => {
    const [, stage = '', hook = '', exit = '', state = ''] =
      /^(\S+) (\S+) exit=(\S+) (.*)$/.exec(line) ?? [];
    if (state === '') return [];
    const { status } = JSON.parse(state) as { status: string };
    return [{ stage, hook, exit, status }];
  });
}
