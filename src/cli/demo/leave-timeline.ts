import { copyFile, constants, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = 'timeline.html';

/**
 * Copies the timeline to `folder`. Resolves with the path of the copy: in a new temporary directory where `folder`
 * cannot be written to, or has a file of that name.
 */
export async function leaveTimeline(from: string, folder: string): Promise<string> {
  try {
    return await copyInto(folder, from);
  } catch {
    return copyInto(await mkdtemp(join(tmpdir(), 'lifehook-timeline-')), from);
  }
}

async function copyInto(folder: string, from: string): Promise<string> {
  const path = join(folder, NAME);
  await copyFile(from, path, constants.COPYFILE_EXCL);
  return path;
}
