/**
 * The records of `run: changed`: for each hook address the digest of its inputs at its last success. Each hook has its
 * own file, which is replaced atomically, so that parallel sessions do not lose each other's records.
 */
import { join } from 'node:path';

import { HookHistory } from '../../lifecycles/pipeline/hooks/history.ts';
import { sha256 } from '../../platform/digests.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { Files } from '../../platform/platform.ts';

const FOLDER = 'hook-digests';
const FOLDER_MODE = 0o755;
const MODE = 0o644;

export function fileHistory(stateFolder: string, files: Files = nodePlatform.files): HookHistory {
  const folder = join(stateFolder, FOLDER);
  // A digest, because an address may contain slashes and may be too long for a file name.
  const pathOf = (address: string): string => join(folder, `${sha256(address)}.json`);
  const read = (address: string): Promise<string | null> => readDigest(pathOf(address), files);
  return new HookHistory({
    read,
    write: async (address, digest) => {
      if ((await read(address)) === digest) return;
      await files.makeFolder(folder, FOLDER_MODE);
      const bytes = Buffer.from(`${JSON.stringify({ address, digest })}\n`).toString('latin1');
      await files.replace(pathOf(address), bytes, { mode: MODE });
    },
  });
}

/** The digest of the hook's last success; null: the file is missing or damaged. The hook then runs. */
async function readDigest(path: string, files: Files): Promise<string | null> {
  try {
    const bytes = await files.read(path);
    const read: unknown = JSON.parse(Buffer.from(bytes, 'latin1').toString());
    const { digest } = read as Readonly<Record<string, unknown>>;
    return typeof digest === 'string' ? digest : null;
  } catch {
    return null;
  }
}
