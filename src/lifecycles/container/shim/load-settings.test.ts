import { describe, expect, it } from 'vitest';

import { nodeFiles } from '../../../platform/files.ts';
import type { Files } from '../../../platform/platform.ts';
import { loadSettings } from './load-settings.ts';
import type { RuntimeSettings } from './runtime-settings.ts';

/** Reads settings from a file with this content, which belongs to root. */
function load(content: object): Promise<RuntimeSettings> {
  const at = { size: 0, mtimeMs: 0, mode: 0o755, uid: 0, gid: 0, inode: 1 };
  const files: Files = {
    ...nodeFiles,
    read: async () => JSON.stringify(content),
    stat: async () => ({ kind: 'file', ...at }),
    readLink: async () => null,
  };
  return loadSettings(files, '/etc/lifehook/runtime.json', [0]);
}

describe('loadSettings', () => {
  it('removes the slash at the end of directories that are compared with those of hook files', async () => {
    const folders = ['/a/', '/b//', '/', '/c'];
    const settings = await load({ hooksDirs: folders, podmanHooksDirs: folders });
    expect(settings.hooksDirs).toEqual(['/a', '/b', '/', '/c']);
    expect(settings.podmanHooksDirs).toEqual(settings.hooksDirs);
  });

  it.each(['retries', 'constructor', 'toString'])(
    'LHC310: refuses the unknown key %s',
    async (key) => {
      const refused = `LHC310: /etc/lifehook/runtime.json must be a JSON object with the settings of lifehook-runtime, but "${key}" is no setting`;
      await expect(load({ [key]: 1 })).rejects.toThrow(refused);
    },
  );
});
