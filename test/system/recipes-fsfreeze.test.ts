/** Tests the recipe fsfreeze on a file system of its own, in an image file. Needs root. */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import {
  actionsOf,
  beginToWrite,
  openSession,
  runRecipe,
  type Writing,
} from '../fixtures/snapshot/recipe-run.ts';
import { accessWith } from '../fixtures/snapshot/server-process.ts';
import { type Checked, damage, verifyCopy } from '../fixtures/snapshot/verify-copy.ts';

let folder: string;
let mount: string;
const access = accessWith({});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-fsfreeze-'));
  mount = join(folder, 'mount');
  await mkdir(mount);
  const image = join(folder, 'image');
  execFileSync('truncate', ['-s', '400M', image]);
  execFileSync('mkfs.xfs', ['-q', image]);
  execFileSync('mount', ['-o', 'loop', image, mount]);
});

function thawAnyway(): void {
  try {
    execFileSync('fsfreeze', ['--unfreeze', mount], { stdio: 'ignore' });
  } catch {
    // Expected: the file system was already thawed.
  }
}

afterAll(async () => {
  thawAnyway();
  execFileSync('umount', [mount]);
  await rm(folder, { recursive: true, force: true });
});

/** Writes in a separate process, because a process that waits for a thaw cannot be killed. */
const write = (): Writing => beginToWrite('touch', [join(mount, `file-${Date.now()}`)]);

/** Resolves once the kernel blocks the writer. */
const heldUp = ({ pid }: Writing): Promise<boolean> =>
  eventually('the file system makes the write wait', async () =>
    (await readFile(`/proc/${pid}/wchan`, 'utf8')).includes('rwsem'),
  );

it('blocks writes until the thaw', async () => {
  const writings: Writing[] = [];
  const run = await runRecipe(access, actionsOf('fsfreeze', { path: mount }), async () => {
    const writing = write();
    writings.push(writing);
    await heldUp(writing);
    expect(writing.ended()).toBe(false);
  });
  expect(run.story).toBe('freeze, hold, thaw');
  await writings[0]?.done;
});

it('gives a copy of the device that its check passes, and a damaged one that it does not', async () => {
  // With so many files, the inode of the last file is not next to the inode of the root directory.
  const files = Array.from({ length: 200 }, (_, index) => join(mount, `text-${index}`));
  for (const file of files) await writeFile(file, 'a text');
  const run = await runRecipe(access, actionsOf('fsfreeze', { path: mount }), async () => {
    await copyFile(join(folder, 'image'), join(folder, 'copy'));
  });
  expect(run.ok).toBe(true);
  const { ino } = await stat(files.at(-1) ?? '');
  const restored = join(folder, 'restored');
  await mkdir(restored);
  const check = async (): Promise<Checked> => {
    execFileSync('mount', ['-o', 'loop,nouuid', join(folder, 'copy'), restored]);
    try {
      return await verifyCopy('fsfreeze', { path: folder, parameters: { directory: 'restored' } });
    } finally {
      execFileSync('umount', [restored]);
    }
  };
  expect(await check()).toEqual({ exitCode: 0, output: '' });
  const commands = ['-c', `inode ${ino}`, '-c', 'addr'];
  const said = execFileSync('xfs_db', ['-r', ...commands, join(folder, 'copy')], {
    encoding: 'utf8',
  });
  const at = Number(/byte offset (\d+)/.exec(said)?.[1]);
  await damage(join(folder, 'copy'), { at, bytes: 64 });
  expect(await check()).toMatchObject({ exitCode: 1 });
});

it('thaws by itself when the connection is lost', async () => {
  const opened = await openSession(access, actionsOf('fsfreeze', { path: mount }));
  expect(opened.result.outcome).toBe('Succeeded');
  const writing = write();
  access.sessions.at(-1)?.close();
  await writing.done;
});

it('fails on a filesystem that another process has frozen, and does not thaw it', async () => {
  execFileSync('fsfreeze', ['--freeze', mount]);
  const opened = await openSession(access, actionsOf('fsfreeze', { path: mount }));
  expect(opened.result).toMatchObject({ outcome: 'Failed', exitCode: 1 });
  expect(opened.result.stdout.text).toContain('busy');
  const writing = write();
  await heldUp(writing);
  expect(writing.ended()).toBe(false);
  execFileSync('fsfreeze', ['--unfreeze', mount]);
  await writing.done;
});

it('succeeds on a filesystem that is frozen already where the user accepts that, and does not thaw it', async () => {
  execFileSync('fsfreeze', ['--freeze', mount]);
  try {
    const actions = actionsOf('fsfreeze', { path: mount, ifFrozen: 'accept' });
    const opened = await openSession(access, actions);
    expect(opened.result.outcome).toBe('Succeeded');
    expect(await opened.session?.thaw(10_000)).toMatchObject({ kind: 'thawed', exitCode: 0 });
    const writing = write();
    await heldUp(writing);
    execFileSync('fsfreeze', ['--unfreeze', mount]);
    await writing.done;
  } finally {
    thawAnyway();
  }
});

it('succeeds to thaw a filesystem that was thawed meanwhile', async () => {
  const opened = await openSession(access, actionsOf('fsfreeze', { path: mount }));
  try {
    expect(opened.result.outcome).toBe('Succeeded');
    execFileSync('fsfreeze', ['--unfreeze', mount]);
    expect(await opened.session?.thaw(10_000)).toMatchObject({ kind: 'thawed', exitCode: 0 });
  } finally {
    thawAnyway();
  }
});

it('fails with the path when the filesystem cannot be frozen', async () => {
  await writeFile(join(folder, 'plain'), '');
  const opened = await openSession(access, actionsOf('fsfreeze', { path: '/proc' }));
  expect(opened.result).toMatchObject({ outcome: 'Failed', exitCode: 1 });
  await eventually('its words', async () => opened.result.stdout.text.includes('/proc'));
});
