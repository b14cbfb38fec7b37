/** `lifehook oci index --watch`: the index follows the folders, and a bad file stays as it was. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from './oci-life-stand.ts';
import { openWorkbench, type Workbench } from './oci-workbench.ts';

let bench: Workbench;
let follower: ChildProcess;
const said = { stdout: '', stderr: '' };

const hookFile = (path: string): object => ({
  version: '1.0.0',
  hook: { path },
  when: { always: true },
  stages: ['createRuntime'],
});

const index = (): Promise<string> => readFile(bench.path('hooks.index'), 'utf8').catch(() => '');

beforeEach(async () => {
  bench = await openWorkbench();
  await bench.writeJson('hooks.d/10-a.json', hookFile('/bin/true'));
  await bench.writeJson('runtime.json', {
    index: bench.path('hooks.index'),
    hooksDirs: [bench.path('hooks.d')],
  });
  const args = [
    'dist/lifehook.js',
    'oci',
    'index',
    '--watch',
    '--config',
    bench.path('runtime.json'),
  ];
  follower = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  Object.assign(said, { stdout: '', stderr: '' });
  for (const stream of ['stdout', 'stderr'] as const) {
    follower[stream]?.on('data', (text: Buffer) => {
      said[stream] += text.toString();
    });
  }
  await until(() => said.stdout.includes('following'), 'the folders are followed');
});
afterEach(async () => {
  follower.kill('SIGKILL');
  await bench.close();
});

describe('lifehook oci index --watch', () => {
  it('indexes new and changed files, and exits cleanly on a signal', async () => {
    await until(async () => (await index()).includes('/bin/true'), 'the index is there');
    await bench.writeJson('hooks.d/20-b.json', hookFile('/bin/false'));
    await until(async () => (await index()).includes('/bin/false'), 'the new file is in it');
    follower.kill('SIGTERM');
    const code = await new Promise((resolve) => follower.once('exit', resolve));
    expect(code).toBe(0);
  });

  it('keeps the last valid version of a malformed file, and reports its position', async () => {
    await until(async () => (await index()).includes('/bin/true'), 'the index is there');
    await bench.write('hooks.d/10-a.json', '{"version": "1.0.0",}');
    await until(() => said.stderr.includes('LHC101'), 'there is an alarm');
    expect(said.stderr).toMatch(/10-a\.json:1:\d+: error LHC101/);
    const lines = said.stdout.split('\n').length;
    await until(() => said.stdout.split('\n').length > lines, 'the index was made again');
    const text = await index();
    expect(text).toContain('/bin/true');
    expect(text).toContain('"refusals":[]');
  });
});
