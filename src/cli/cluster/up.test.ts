import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { nodePlatform } from '../../platform/node-platform.ts';
import { type ProcessIdentity, procTable } from '../../store/process-table.ts';
import { runClusterStatus } from './run-status.ts';
import { markStopping } from './cluster-state.ts';
import { nextText, runUp, waitForOther } from './up.ts';

let folder: string;
let child: ChildProcess;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-up-'));
  child = spawn('sleep', ['600']);
});

afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  await rm(folder, { recursive: true });
});

async function identityOfChild(): Promise<ProcessIdentity> {
  const own = await procTable(nodePlatform.files).self();
  const { pid = 0 } = child;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const startTicks = stat.split(') ')[1]?.split(' ')[19] ?? '';
  return { pid, started: own.started.replace(/[^/]+$/u, startTicks) };
}

async function writeStopping(): Promise<void> {
  const running = { process: await identityOfChild(), server: '', kubeconfig: '', startedAt: '' };
  await writeFile(join(folder, 'up.json'), JSON.stringify(running));
  await markStopping(folder);
}

describe('lifehook up', () => {
  it('waits until a cluster that is stopping has exited, and does not report it as up', async () => {
    await writeStopping();
    const options = { cluster: 'local', stateDir: folder, runner: 'auto', port: 0 } as const;
    const up = runUp({ ...options, controllers: false, endpointDelay: 0, quiet: true });
    setTimeout(() => child.kill('SIGKILL'), 100);
    // After the other process has exited, `up` continues and finds that the directory has no files of a cluster.
    await expect(up).rejects.toThrow('LHA110');
  });

  it('stops waiting for a process that releases the state without a running cluster', async () => {
    const { pid, started } = await identityOfChild();
    await writeFile(join(folder, 'writer.1.lock'), `pid ${pid} started ${started}\n`);
    const other = waitForOther(folder);
    child.kill('SIGKILL');
    expect(await other).toBeNull();
  });

  it('prints commands that can be copied if its paths have spaces', () => {
    const running = { server: 'https://127.0.0.1:6443', kubeconfig: '/my state/kubeconfig' };
    const text = nextText(running, null, { cluster: 'local', stateDir: '/my state' });
    expect(text).toContain("\n  export KUBECONFIG='/my state/kubeconfig'\n");
    expect(text).toContain("\n  lifehook down --state-dir '/my state'\n");
    expect(text).toContain('\n  kubeconfig  /my state/kubeconfig\n');
  });
});

describe('lifehook status', () => {
  it('does not report a cluster that is stopping as up', async () => {
    await writeStopping();
    const said: string[] = [];
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said.push(String(text));
      return true;
    });
    try {
      const options = { cluster: 'local', stateDir: folder };
      expect(await runClusterStatus(options)).toBe(1);
      expect(await runClusterStatus({ ...options, kubeconfig: true })).toBe(1);
    } finally {
      stderr.mockRestore();
    }
    const line = `The cluster "local" is stopping. Start it again with: lifehook up --state-dir ${folder}\n`;
    expect(said).toEqual([line, line]);
  });
});
