/** `lifehook up --runner` on a machine with several OCI runtimes, and without the permission for one. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { expect, it, onTestFinished } from 'vitest';

import { type Ended, kubectlPath, run } from './cluster-stand.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');
const ANOTHER = { uid: 65_533, gid: 65_533 };

async function folderOfTest(mode: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-runner-'));
  await chmod(folder, mode);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it(
  'uses the requested OCI runtime next to another one',
  { tags: ['root', 'crun', 'kubectl'] },
  async () => {
    const folder = join(await folderOfTest(0o700), 'state');
    const lifehook = (...args: readonly string[]): Promise<Ended> =>
      run(process.execPath, [PROGRAM, ...args, '--state-dir', folder]);
    onTestFinished(async () => {
      await lifehook('down', '--delete');
    });
    expect(await lifehook('up', '--runner', 'crun')).toMatchObject({ code: 0, stderr: '' });
    const version = '-o=jsonpath={.items[0].status.nodeInfo.containerRuntimeVersion}';
    const kubeconfig = join(folder, 'kubeconfig');
    const node = await run(kubectlPath(), ['--kubeconfig', kubeconfig, 'get', 'node', version]);
    expect(node.stdout).toMatch(/^crun:\/\//);
  },
);

it('is refused with what the runner needs', { tags: 'root' }, async () => {
  const folder = await folderOfTest(0o777);
  const argv = [
    PROGRAM,
    'up',
    '--foreground',
    '--runner',
    'runc',
    '--state-dir',
    `${folder}/state`,
  ];
  const stderr = await new Promise<string>((done) => {
    const options = { ...ANOTHER, cwd: '/', env: { PATH: process.env['PATH'], HOME: folder } };
    execFile(process.execPath, argv, options, (_error, _stdout, printed) => {
      done(printed);
    });
  });
  expect(stderr).toContain(
    'LHA103: The runner runc cannot be used: it needs root. Next: Run lifehook as root, or use --runner process.',
  );
});
