/** The example of examples/container in a folder of its own, ready to run, and what its hooks wrote. */
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { programFolder } from './program-folder.ts';

export interface DemoWorld {
  readonly folder: string;
  readonly bundle: string;
  readonly hooks: string;
  /** Adds a hook that fails at createRuntime. */
  addFailingHook(): Promise<void>;
  /** The lines of the example's hook, oldest first; they are then forgotten. */
  takeAnnouncements(): Promise<readonly Announcement[]>;
  close(): Promise<void>;
}

/** One line that announce.sh wrote. */
export interface Announcement {
  readonly stage: string;
  readonly hook: string;
  /** "-" before the end. */
  readonly exit: string;
  readonly status: string;
}

/** Where the hook files of the example say that their program is. */
const placeInExample = '/opt/lifehook-example';
const hookFiles = ['10-announce.json', '20-mounts-only.json', '30-exit.json'];

export async function openDemoWorld(options: {
  readonly busybox: string | null;
}): Promise<DemoWorld> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'lifehook-demo-')));
  const example = join(programFolder(), '..', 'examples', 'container');
  const bundle = join(folder, 'bundle');
  const hooks = join(folder, 'hooks.d');
  // With a umask of 002 and the like, others could write to all of this, and it would be refused.
  process.umask(0o022);
  await mkdir(bundle);
  await writeFile(join(bundle, 'config.json'), await readFile(join(example, 'bundle/config.json')));
  await makeRoot(join(bundle, 'rootfs'), options.busybox);
  await mkdir(hooks);
  for (const name of hookFiles) {
    const text = await readFile(join(example, 'hooks.d', name), 'utf8');
    await writeFile(join(hooks, name), text.replaceAll(placeInExample, folder));
  }
  await copyFile(join(example, 'announce.sh'), join(folder, 'announce.sh'));
  await chmod(join(folder, 'announce.sh'), 0o755);
  return {
    folder,
    bundle,
    hooks,
    addFailingHook: () => writeFile(join(hooks, '15-fails.json'), JSON.stringify(failingHook)),
    takeAnnouncements: () => takeAnnouncements(join(folder, 'announced.log')),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

const failingHook = {
  version: '1.0.0',
  hook: { path: '/bin/sh', args: ['sh', '-c', 'echo "the address pool is empty" >&2; exit 7'] },
  when: { always: true },
  stages: ['createRuntime'],
};

/** A container of a runtime needs its own programs: one busybox. */
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
