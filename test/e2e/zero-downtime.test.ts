/**
 * The unchanged example "zero downtime" of prestop-sleep.md: its output must be as documented.
 * @module-tag kubectl
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';

import { kubectlPath, run } from './cluster-stand.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

/** Creates a directory for the PATH with only the programs that the example needs. */
async function layPrograms(folder: string): Promise<void> {
  const programs = {
    lifehook: `'${process.execPath}' '${PROGRAM}'`,
    kubectl: `'${kubectlPath()}'`,
    node: `'${process.execPath}'`,
  };
  for (const [name, words] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  }
}

/** The numbers in lines such as "1234 requests, 5 failed". */
function countsIn(text: string): { asked: number; failed: number }[] {
  return [...text.matchAll(/(\d+) requests, (\d+) failed/g)].map(([, asked, failed]) => ({
    asked: Number(asked),
    failed: Number(failed),
  }));
}

test('a restart under load loses requests without a preStop sleep, and none with it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-zero-'));
  try {
    await layPrograms(folder);
    const script = resolve('examples/zero-downtime/run.sh');
    const path = `PATH=${folder}:${process.env['PATH'] ?? ''}`;
    const { code, stdout, stderr } = await run('env', [path, 'sh', script]);
    expect(code, stderr + stdout).toBe(0);
    const [withSleep, without, ...more] = countsIn(stdout);
    expect(more).toEqual([]);
    expect(withSleep?.asked).toBeGreaterThan(100);
    expect(withSleep?.failed, stdout).toBe(0);
    expect(without?.asked).toBeGreaterThan(100);
    expect(without?.failed, stdout).toBeGreaterThan(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
