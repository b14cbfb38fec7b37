/**
 * `kubectl lifehook`: the same program, which kubectl finds on the PATH under another name.
 * @module-tag kubectl
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { kubectlPath } from './cluster-stand.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lifehook-plugin-'));
  chmodSync(PROGRAM, 0o755);
  // The link that npm creates for an entry under `bin` in package.json.
  symlinkSync(PROGRAM, join(folder, 'kubectl-lifehook'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function kubectl(...args: readonly string[]): { status: number | null; stdout: string } {
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  return spawnSync(kubectlPath(), args, { encoding: 'utf8', env });
}

describe('kubectl lifehook', () => {
  it('uses the name "kubectl lifehook" in its help and examples', () => {
    const { status, stdout } = kubectl('lifehook', '--help');
    expect(status).toBe(0);
    expect(stdout).toContain('Usage: kubectl lifehook ');
    expect(stdout).toContain('\n  kubectl lifehook demo');
    expect(kubectl('lifehook', 'install', '--help').stdout).toContain(
      'Example:\n  kubectl lifehook install | kubectl apply -f -',
    );
  });

  it('has the output and exit code of lifehook', () => {
    const { status, stdout } = kubectl('lifehook', 'install');
    const own = spawnSync(process.execPath, [PROGRAM, 'install'], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: own.stdout });
    expect(kubectl('lifehook', 'demp').status).toBe(2);
  });
});
