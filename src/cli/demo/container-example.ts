/** The example of examples/container in a folder of its own, ready to run, and what its hooks wrote. */
import { chmod, copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { programFolder } from '../program-files.ts';

export interface ContainerExample {
  readonly folder: string;
  /** Adds a hook that fails at createRuntime. */
  addFailingHook(): Promise<void>;
  /** The lines of the example's hook, oldest first; they are then forgotten. */
  takeAnnouncements(): Promise<readonly Announcement[]>;
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

/** `busybox`: for a container that has no programs of its own; null: it is a plain process. */
export async function openContainerExample(
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
