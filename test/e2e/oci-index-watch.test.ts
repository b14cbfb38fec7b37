/**
 * `lifehook oci index --watch`: the index follows changes of the directories. `system/shim-index-watch` covers a
 * malformed file.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from './oci-life-stand.ts';
import { openWorkbench, type Workbench } from './oci-workbench.ts';

let bench: Workbench;
let follower: ChildProcess;
let said = '';

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
  follower = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  said = '';
  follower.stdout?.on('data', (text: Buffer) => {
    said += text.toString();
  });
  await until(() => said.includes('watching'), 'the folders are followed');
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
});
