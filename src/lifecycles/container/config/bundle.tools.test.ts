import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { nodeFiles } from '../../../platform/files.ts';
import { readBundle } from './bundle.ts';

it("refuses another user's config.json", { tags: 'root' }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-bundle-'));
  try {
    const config = join(folder, 'config.json');
    await writeFile(config, '{}');
    await chown(config, 12_345, 12_345);
    const trust = { owners: [0], allowUntrusted: false };
    await expect(readBundle({ files: nodeFiles, folder, trust })).rejects.toMatchObject({
      problems: [{ code: 'LHC112' }],
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
