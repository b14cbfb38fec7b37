/** Says what a process that does not exit waits for, so that a hang that was seen once can be understood. */
import type { Dirent } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';

/** Each thread with its state and its place in the kernel, then the open files, then the children. */
export async function describeHang(pid: number): Promise<string> {
  const proc = `/proc/${pid}`;
  const threads = await namesIn(`${proc}/task`);
  const places = threads.map(async (thread) => {
    const [name, state, stack] = await Promise.all(
      ['comm', 'status', 'stack'].map((file) => textOf(`${proc}/task/${thread}/${file}`)),
    );
    const [, letter = '?'] = /^State:\s+(\S)/m.exec(state ?? '') ?? [];
    return `thread ${thread} ${name?.trim()} ${letter}\n${stack}`;
  });
  const files = (await namesIn(`${proc}/fd`)).map(async (fd) => {
    const target = await readlink(`${proc}/fd/${fd}`).catch(() => '?');
    return `fd ${fd} ${target}`;
  });
  const children = await textOf(`${proc}/task/${pid}/children`);
  const parts = await Promise.all([...places, ...files]);
  return [...parts, `children ${children}`].join('\n');
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries: readonly Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.map(({ name }) => name);
}

/** The error as text if the file cannot be read, for example because only root may. */
function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => String(error));
}
