/** The commands for images, under each of their names. */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openImageStand } from './image-stand.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

describe('lifehook image', () => {
  it('imports, lists, names and removes', async () => {
    await using stand = await openImageStand();
    await stand.write('app/run', 'x');
    const call = (...args: string[]): string => {
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        [PROGRAM, 'image', ...args, '--state-dir', join(stand.folder, 'state')],
        { encoding: 'utf8' },
      );
      return `${status ?? ''} ${stdout}${stderr}`;
    };
    expect(call('import', join(stand.folder, 'app'), 'app:v1')).toMatch(/^0 app:v1 {2}sha256:/);
    expect(call('tag', 'app:v1', 'app')).toMatch(/^0 app:latest/);
    expect(call('list')).toMatch(/^0 NAME .*\napp:latest .*\napp:v1 /);
    expect(call('remove', 'app:v1')).toBe('0 ');
    expect(call('remove', 'app:v1')).toMatch(/^1 .*no image app:v1/);
    expect(call('import', join(stand.folder, 'nowhere'), 'x')).toMatch(
      /LHN305.*nothing was imported/s,
    );
  });
});
