/** The history of `run: changed`: for each hook address the digest of its inputs at its last success. */
import { join } from 'node:path';

import { HookHistory } from '../../lifecycles/pipeline/hooks/history.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { Files } from '../../platform/platform.ts';

const NAME = 'hook-digests.json';
const MODE = 0o644;

/** A missing or damaged file counts as empty: the hooks run. */
export async function readHistory(
  stateFolder: string,
  files: Files = nodePlatform.files,
): Promise<HookHistory> {
  const forgetOne = async (address: string): Promise<void> => {
    const { [address]: forgotten, ...rest } = await readDigests(stateFolder, files);
    if (forgotten !== undefined) await writeDigests(stateFolder, rest, files);
  };
  // Hooks of parallel stages start in parallel, and each writes the whole file.
  let last: Promise<void> = Promise.resolve();
  const forget = (address: string): Promise<void> => {
    last = last.catch(() => undefined).then(() => forgetOne(address));
    return last;
  };
  return new HookHistory(await readDigests(stateFolder, files), forget);
}

/** Merges with the entries of a session that has ended meanwhile. */
export async function writeHistory(
  stateFolder: string,
  history: HookHistory,
  files: Files = nodePlatform.files,
): Promise<void> {
  const digests = history.digests();
  if (Object.keys(digests).length === 0) return;
  await writeDigests(
    stateFolder,
    { ...(await readDigests(stateFolder, files)), ...digests },
    files,
  );
}

async function writeDigests(
  stateFolder: string,
  digests: Readonly<Record<string, string>>,
  files: Files,
): Promise<void> {
  const text = JSON.stringify(digests, null, 2);
  const bytes = Buffer.from(`${text}\n`).toString('latin1');
  await files.replace(join(stateFolder, NAME), bytes, { mode: MODE });
}

async function readDigests(stateFolder: string, files: Files): Promise<Record<string, string>> {
  try {
    const bytes = await files.read(join(stateFolder, NAME));
    const read: unknown = JSON.parse(Buffer.from(bytes, 'latin1').toString());
    if (typeof read !== 'object' || read === null) return {};
    const entries = Object.entries(read).filter((one) => typeof one[1] === 'string');
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}
