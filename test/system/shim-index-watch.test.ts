/** Tests the shim while `lifehook oci index --watch` runs, under runc. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../e2e/oci-life-stand.ts';
import { openWorld } from './shim-world.ts';

describe('the shim next to oci index --watch', () => {
  it('runs the last valid version of a hook whose file is malformed, and refuses it once the watcher has exited', async () => {
    await using world = await openWorld();
    await world.hook('10-a.json', { command: 'echo ran >> $1/out', stages: ['createRuntime'] });
    const settings = join(world.folder, 'runtime.json');
    const args = ['dist/lifehook.js', 'oci', 'index', '--watch', '--config', settings];
    const follower = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let makings = 0;
    follower.stdout.on('data', (text: Buffer) => {
      makings += text.toString().split('1 hook file from').length - 1;
    });
    let alarm = '';
    follower.stderr.on('data', (text: Buffer) => {
      alarm += text.toString();
    });
    try {
      await until(() => makings >= 2, 'the index of the good file is made for good');
      await writeFile(join(world.hooks, '10-a.json'), '{ "version": ');
      await until(() => makings >= 4, 'the index of the bad file is made for good');
      expect(alarm).toMatch(/10-a\.json:1:\d+: error LHC101/);
      expect((await world.run(['run', world.id])).code).toBe(0);
      expect(await world.text('out')).toBe('ran\n');
    } finally {
      follower.kill('SIGKILL');
    }
    await writeFile(join(world.hooks, '10-a.json'), '{ "version":  ');
    expect((await world.run(['run', `${world.id}-2`])).code).toBe(1);
  });
});
