import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, afterEach, describe, expect, it } from 'vitest';

import { nodeFiles } from '../../../platform/files.ts';
import type { Life } from '../life/life.ts';
import type { Making } from './oci-runner.ts';
import { checkProcess } from './process-config.ts';

let rootfs: string;
beforeEach(() => {
  rootfs = realpathSync(mkdtempSync(join(tmpdir(), 'lifehook-root-')));
  mkdirSync(join(rootfs, 'srv'));
});
afterEach(() => {
  rmSync(rootfs, { recursive: true });
});

describe('the working directory of a host process', () => {
  const cwdOf = async (root: string, cwd: string): Promise<string> => {
    const config = { process: { args: ['/bin/sh'], cwd } };
    const making = { id: 'web', rootfs: root, bundle: { config, configPath: '/b/config.json' } };
    const life = { platform: { files: nodeFiles }, uid: 1000 } as Life;
    return (await checkProcess(life, making as unknown as Making)).program.cwd;
  };

  it('is below the root directory', async () => {
    expect(await cwdOf(rootfs, '/')).toBe(rootfs);
    expect(await cwdOf(rootfs, '/srv')).toBe(join(rootfs, 'srv'));
  });

  it('is any directory of the host when that is the root directory', async () => {
    expect(await cwdOf('/', '/')).toBe('/');
    expect(await cwdOf('/', join(rootfs, 'srv'))).toBe(join(rootfs, 'srv'));
  });

  it('must exist in the root directory, and not above it', async () => {
    for (const cwd of ['/none', '/..', 'srv']) {
      await expect(cwdOf(join(rootfs, 'srv'), cwd)).rejects.toThrow('LHC224');
    }
  });
});
