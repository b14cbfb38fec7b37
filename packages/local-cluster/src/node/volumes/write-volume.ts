/**
 * The files of a volume whose content the API has, changed all at once: they lie in a folder of their own,
 * and one rename of the link `..data` shows the next one. Programs that watch for that link's change, as
 * they do on a real node, see it here too.
 *
 *     mode -> ..data/mode          what the container reads
 *     ..data -> ..2                the link that is renamed
 *     ..2/mode                     the content
 */
import type { Files } from '../../../../../src/platform/platform.ts';
import { codeOf } from '../../../../../src/platform/posix-error.ts';
import type { Trees } from '../../../../../src/platform/trees.ts';
import type { VolumeFile } from './volume-files.ts';

export interface VolumeWriting {
  readonly files: Files;
  readonly trees: Trees;
  /** The volume's own folder. */
  readonly folder: string;
  /** Whose group may read it too; null: as it is. */
  readonly group: number | null;
}

const FOLDER_MODE = 0o755;
const DATA = '..data';
const GROUP_READS = 0o040;

export async function writeVolume(
  writing: VolumeWriting,
  content: readonly VolumeFile[],
): Promise<void> {
  const { files, trees, folder } = writing;
  await files.makeFolder(folder, FOLDER_MODE);
  const before = await files.list(folder);
  const next = nextFolder(before);
  await files.makeFolder(`${folder}/${next}`, FOLDER_MODE);
  for (const file of content) await writeFile(writing, `${folder}/${next}`, file);
  await files.remove(`${folder}/${DATA}_next`);
  await trees.link(next, `${folder}/${DATA}_next`);
  await files.rename(`${folder}/${DATA}_next`, `${folder}/${DATA}`);
  const names = new Set(content.map(({ path }) => path.split('/')[0] ?? ''));
  for (const name of names) await linkOnce(trees, `${DATA}/${name}`, `${folder}/${name}`);
  for (const name of before) {
    if (name !== DATA && !names.has(name)) await files.remove(`${folder}/${name}`);
  }
}

/** "..3" after "..2": names of keys never begin with two dots. */
function nextFolder(names: readonly string[]): string {
  const numbers = names.map((name) => Number(/^\.\.(\d+)$/.exec(name)?.[1] ?? 0));
  return `..${Math.max(0, ...numbers) + 1}`;
}

async function writeFile(
  { files, group }: VolumeWriting,
  folder: string,
  { path, content, mode }: VolumeFile,
): Promise<void> {
  const target = `${folder}/${path}`;
  await files.makeFolder(target.slice(0, target.lastIndexOf('/')), FOLDER_MODE);
  const like = group === null ? { mode } : { mode: mode | GROUP_READS, gid: group };
  await files.replace(target, latin1(content), like);
}

async function linkOnce(trees: Trees, target: string, path: string): Promise<void> {
  try {
    await trees.link(target, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

const PIECE_BYTES = 8_192;

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    text += String.fromCharCode(...bytes.subarray(start, start + PIECE_BYTES));
  }
  return text;
}
