import fs, { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { expect, it, onTestFinished, vi } from 'vitest';

import { nodeArchives } from './node-archives.ts';

it('writes a file of an archive completely although the system writes only a part', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-layer-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, 'name'), '12345');
  const archive = join(folder, 'a.tar');
  await create({ file: archive, cwd: folder }, ['name']);
  rmSync(join(folder, 'name'));
  const write = fs.writeSync as (...call: unknown[]) => number;
  // As on a disk with little free space, write(2) may write less than was requested.
  vi.spyOn(fs, 'writeSync').mockImplementation((fd: number, bytes: unknown, at: unknown = 0) =>
    write(fd, bytes, at, Math.min(3, (bytes as Buffer).length - Number(at))),
  );
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  const limits = { maxBytes: 1_000_000, maxEntries: 10, whiteouts: false };
  await nodeArchives.unpack(archive, folder, limits);
  expect(readFileSync(join(folder, 'name'), 'utf8')).toBe('12345');
});
