import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { host as nodeHost } from '../../../platform/node-shim-host.ts';
import type { Files } from '../../../platform/platform.ts';
import { posixError } from '../../../platform/posix-error.ts';
import type { ShimHost } from '../../../platform/shim-host.ts';
import type { HookCommand } from './hook-command.ts';
import { runHooks } from './run-hook.ts';

/** A runner with one hook, which is a shell script. */
class Stand {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'lifehook-runner-'));
  readonly printed: { stdout: string; stderr: string } = { stdout: '', stderr: '' };

  constructor() {
    onTestFinished(() => {
      rmSync(this.folder, { recursive: true });
    });
  }

  run(
    script: string,
    more: Partial<HookCommand> = {},
    files: Partial<Files> = {},
  ): Promise<number> {
    const command: HookCommand = {
      stage: 'createRuntime',
      file: '10-a.json',
      index: 0,
      onFailure: 'fail',
      retries: 0,
      timeoutSeconds: null,
      spool: join(this.folder, 'spool'),
      path: '/bin/sh',
      argv: ['sh', '-c', script, 'sh', this.folder],
      ...more,
    };
    const host: ShimHost = {
      ...nodeHost,
      env: {},
      files: { ...nodeHost.files, ...files },
      supervision: { ...nodeHost.supervision, onSignal: () => undefined },
      readInput: () => JSON.stringify({ id: 'web', bundle: this.folder }),
      endAfter: () => undefined,
      print: (stream, text) => {
        this.printed[stream] += text;
      },
    };
    return runHooks(host, [command]);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }
}

const script = 'echo ran >"$1/ran"';

describe('the runner', () => {
  it('runs a hook whose timeout is longer than that of any attempt', async () => {
    const stand = new Stand();
    expect(await stand.run(script, { timeoutSeconds: 9_223_372_036 })).toBe(0);
    expect(stand.read('ran')).toBe('ran\n');
  });

  it('runs a hook whose record cannot be written, and reports that once', async () => {
    const stand = new Stand();
    const full = async (): Promise<never> => {
      throw posixError('ENOSPC', 'no space left on device');
    };
    const openAppend: Files['openAppend'] = async (...how) => {
      const file = await nodeHost.files.openAppend(...how);
      return { ...file, write: full };
    };
    expect(await stand.run(script, {}, { openAppend })).toBe(0);
    expect(stand.read('ran')).toBe('ran\n');
    expect(stand.printed.stderr.match(/LHC303.*no space left on device/g)).toHaveLength(1);
  });

  it('succeeds with a hook whose open record was removed from a full spool', async () => {
    const stand = new Stand();
    expect(await stand.run('rm -r "$1/spool"')).toBe(0);
    expect(stand.printed.stderr).toContain('LHC303');
  });

  it('prints nothing of a precreate hook that failed, also if the failure is ignored', async () => {
    const stand = new Stand();
    const failing = 'echo half; exit 3';
    expect(await stand.run(failing, { stage: 'precreate', onFailure: 'warn' })).toBe(0);
    expect(stand.printed.stdout).toBe('');
    expect(await stand.run('echo whole', { stage: 'precreate', onFailure: 'warn' })).toBe(0);
    expect(stand.printed.stdout).toBe('whole\n');
  });
});
