/** The directories that a local cluster accepts and `lifehook down --delete` removes: never one with a user's files. */
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-state-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Runs in the directory of the test, because a wrong command could remove its own working directory. */
function lifehook(...args: readonly string[]): Ran {
  return lifehookOf({}, ...args);
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function lifehookOf(user: { uid?: number; gid?: number }, ...args: readonly string[]): Ran {
  const options = { ...user, cwd: folder, encoding: 'utf8' } as const;
  const ran = spawnSync(process.execPath, [PROGRAM, ...args], options);
  return { code: ran.status ?? -1, stdout: ran.stdout, stderr: ran.stderr };
}

const makeThesis = (): Promise<void> => writeFile(join(folder, 'thesis.txt'), 'precious');

test.each([{ command: ['up'] }, { command: ['down', '--delete'] }])(
  '$command refuses a directory with files of a user, and leaves it as it is',
  async ({ command }) => {
    await makeThesis();
    const { code, stderr } = lifehook(...command, '--state-dir', folder);
    expect(stderr).toContain(
      `LHA110: ${folder} is not empty, and has no state of a local cluster.`,
    );
    expect(code).toBe(1);
    expect(await readdir(folder)).toEqual(['thesis.txt']);
  },
);

test('down leaves a directory with files of a user as it is, so that no later down --delete takes it for its own', async () => {
  await makeThesis();
  const { stdout } = lifehook('down', '--state-dir', folder);
  expect(stdout).toBe('The cluster "local" is not up.\n');
  expect(await readdir(folder)).toEqual(['thesis.txt']);
});

test('down --delete removes the state of a cluster that was never up, but has images', async () => {
  const [site, state] = [join(folder, 'site'), join(folder, 'state')];
  await mkdir(site);
  await writeFile(join(site, 'index.txt'), 'welcome');
  const imported = lifehook('image', 'import', site, 'site:v1', '--state-dir', state);
  expect(imported).toMatchObject({ code: 0 });
  expect(lifehook('down', '--delete', '--state-dir', state)).toMatchObject({ code: 0, stderr: '' });
  await expect(stat(state)).rejects.toThrow('ENOENT');
});

test.each([
  { command: ['up'] },
  { command: ['down', '--delete'] },
  { command: ['status'] },
  { command: ['image', 'list'] },
])(
  '$command refuses an empty name of a state directory, which would be the working directory',
  async ({ command }) => {
    await makeThesis();
    const { code, stderr } = lifehook(...command, '--state-dir', '');
    expect(stderr).toContain('The name of a directory must not be empty.');
    expect(code).toBe(2);
    expect(await readdir(folder)).toEqual(['thesis.txt']);
  },
);

test(
  'up names a directory that another user made, and only that user may write',
  { tags: 'root' },
  async () => {
    await chmod(folder, 0o755);
    const { code, stderr } = lifehookOf({ uid: 65_533, gid: 65_533 }, 'up', '--state-dir', folder);
    expect(stderr).toContain(`LHA106: The cluster keeps its state in ${folder}, which cannot be`);
    expect(code).toBe(1);
  },
);

test('status of a cluster that is not up names the command that starts it', () => {
  const state = join(folder, 'state');
  const { code, stderr } = lifehook('status', '--state-dir', state);
  expect(stderr).toBe(
    `The cluster "local" is not up. Start it with: lifehook up --state-dir ${state}\n`,
  );
  expect(code).toBe(1);
});
