/** Builds the image of this checkout as `scripts/build-image.ts` does, and loads it into the real cluster. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';

import { loadArchive } from './images.ts';

/** Two names of the same image, to test with two versions. */
export const IMAGES = {
  now: 'docker.io/local/lifehook:now',
  next: 'docker.io/local/lifehook:next',
} as const;

const DIST = dirname(resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js'));

export async function loadOwnImage(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-own-image-'));
  try {
    for (const name of Object.values(IMAGES)) {
      const out = join(folder, 'image.tar');
      run('npx', 'tsx', 'scripts/build-image.ts', '--out', out, '--tag', name, '--dist', DIST);
      loadArchive(out);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(file: string, ...args: readonly string[]): void {
  execFileSync(file, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
