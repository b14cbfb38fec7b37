/** The script that builds the image, on a machine that lacks the programs which the script runs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { expect, it, onTestFinished } from 'vitest';

import { run } from './cluster-stand.ts';

it.each([
  [['--base', `registry.example/node@sha256:${'0'.repeat(64)}`], 'buildah'],
  [[], 'buildah, npm, ldd'],
])(
  'names what to install when it is run with %j and nothing is on the PATH',
  async (more, names) => {
    const folder = mkdtempSync(join(tmpdir(), 'lifehook-no-programs-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const script = ['--import', 'tsx', 'scripts/build-image.ts', '--out', join(folder, 'out.tar')];
    const ended = await run('/usr/bin/env', [
      `PATH=${folder}`,
      process.execPath,
      ...script,
      ...more,
    ]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`Cannot build the image. Not on the PATH: ${names}`);
    expect(ended.stderr).toContain('apt-get install --no-install-recommends buildah');
  },
);
