/**
 * `lifehook doctor` while another user of the machine runs a local cluster whose state directory only that user can
 * enter.
 * @module-tag kubectl
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it, onTestFinished } from 'vitest';

import type { Report } from '../../src/cli/doctor/run-doctor.ts';
import { type Ended, kubectlPath, run } from './cluster-stand.ts';
import { PROGRAM } from './doctor-stand.ts';

const ANOTHER = { uid: 65_533, gid: 65_533 };

function doctorOfAnother(...args: readonly string[]): Promise<Ended> {
  return new Promise((done) => {
    const options = { ...ANOTHER, cwd: '/', env: { PATH: process.env['PATH'], HOME: '/' } };
    const argv = [PROGRAM, 'doctor', '-o', 'json', ...args];
    execFile(process.execPath, argv, options, (error, stdout, stderr) => {
      done({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

it(
  'reports the rest, and nothing about a cluster that it cannot examine',
  { tags: 'root' },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lifehook-other-'));
    const lifehook = (...args: readonly string[]): Promise<Ended> =>
      run(process.execPath, [PROGRAM, ...args, '--state-dir', join(folder, 'state')]);
    onTestFinished(async () => {
      await lifehook('down', '--delete');
      await rm(folder, { recursive: true, force: true });
    });
    expect(await lifehook('up')).toMatchObject({ code: 0 });
    const kubeconfig = ['--kubeconfig', join(folder, 'state', 'kubeconfig')];
    const kubectl = (...args: readonly string[]): Promise<Ended> =>
      run(kubectlPath(), [...kubeconfig, ...args]);
    await kubectl('run', 'db', '--image=none', '--command', '--', 'sleep', '1000');
    await kubectl('wait', '--for=condition=Ready', 'pod/db', '--timeout=60s');
    for (const args of [[], ['--state-dir', join(folder, 'state')], kubeconfig]) {
      const { stdout, stderr } = await doctorOfAnother(...args);
      expect(stderr).toBe('');
      const { findings } = JSON.parse(stdout) as Report;
      const processes = findings.filter(({ check }) => check === 'processes');
      expect(processes.filter(({ found }) => found.includes(folder))).toEqual([]);
    }
  },
);
