import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { nodeFiles } from './files.ts';

test('replace sets the owner and keeps the bits that chown clears', { tags: 'root' }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-files-'));
  try {
    const path = join(folder, 'tool');
    await nodeFiles.replace(path, '', { mode: 0o4755, uid: 12_345, gid: 54_321 });
    expect(await nodeFiles.stat(path)).toMatchObject({ mode: 0o4755, uid: 12_345, gid: 54_321 });
  } finally {
    await rm(folder, { recursive: true });
  }
});
