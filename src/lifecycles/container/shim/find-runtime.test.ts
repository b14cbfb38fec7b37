import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { nodeFiles } from '../../../platform/files.ts';
import { forgetsHooks } from './find-runtime.ts';

it('takes a link to crun for crun, whatever its name is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-runtime-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  for (const name of ['crun-1.21', 'youki']) writeFileSync(join(folder, name), '');
  symlinkSync('crun-1.21', join(folder, 'runc'));
  symlinkSync('youki', join(folder, 'other'));
  symlinkSync('youki', join(folder, 'crun'));
  const forgets = (path: string): Promise<boolean> => forgetsHooks(nodeFiles, path);
  expect(await forgets(join(folder, 'runc'))).toBe(true);
  expect(await forgets(join(folder, 'crun'))).toBe(true);
  expect(await forgets(join(folder, 'other'))).toBe(false);
  expect(await forgets(join(folder, 'missing'))).toBe(false);
  expect(await forgets('crun')).toBe(true);
  expect(await forgets('runc')).toBe(false);
});
