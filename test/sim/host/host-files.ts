/** `Files` of one process on a simulated machine. It guarantees exactly what the port promises, and no more. */
import type { AppendFile, Files, FileStat } from '../../../src/platform/platform.ts';
import { posixError } from '../../../src/platform/posix-error.ts';
import { nameOf, parentOf, type SimFile } from './file-tree.ts';
import type { Host } from './host.ts';
import { makeChange, never, type Step } from './host-changes.ts';
import { type HostProcess, statOf } from './host-process.ts';

export function filesOf(host: Host, process: HostProcess): Files {
  const { tree } = host;
  const look = <T>(read: () => T): Promise<T> => lookAt(host, process, read);
  const change = (what: string, steps: readonly Step[], undo?: () => void): Promise<void> =>
    makeChange(host, process, { what, steps, ...(undo === undefined ? {} : { undo }) });
  const syncNames = (path: string): Step => ({
    fails: 'EIO',
    apply: () => {
      tree.syncNames(parentOf(path));
    },
  });
  const create = (path: string, content: string): Promise<void> => {
    host.watch.onText?.(path, content);
    const file = tree.newFile();
    const claim = (): void => {
      if (tree.find(path) !== undefined) throw posixError('EEXIST', `EEXIST: file exists, ${path}`);
      tree.put(path, file);
    };
    return change(`create ${path}`, [
      { apply: claim },
      ...fillAndSync(host, file, content),
      syncNames(path),
    ]);
  };
  return {
    read: (path) => look(() => readText(host, process, path)),
    readStart: (path, bytes) => look(() => readText(host, process, path).slice(0, bytes)),
    stat: (path) => look(() => describe(host, path)),
    list: (path) =>
      look(() =>
        path === '/proc'
          ? [...host.processes.keys()].map(String)
          : [...tree.folder(path).names.keys()],
      ),
    realPath: (path) => look(() => (tree.get(path), path)),
    readLink: () => Promise.resolve(null),
    replace: (path, content) => {
      const temporary = `${parentOf(path)}/.lifehook-${process.pid}-${host.random.between(0, 1e9)}.tmp`;
      const file = tree.newFile();
      const rename = (): void => {
        tree.rename(temporary, path);
        host.watch.onContent?.(path, content, process);
      };
      host.watch.onText?.(path, content);
      return change(
        `replace ${path}`,
        [
          {
            apply: () => {
              tree.put(temporary, file);
            },
          },
          ...fillAndSync(host, file, content),
          { apply: rename },
          syncNames(path),
        ],
        () => {
          tree.unlink(temporary);
        },
      );
    },
    create,
    openAppend: async (path, _mode, kind) => {
      if (kind === 'unsynced') {
        const apply = (): void => {
          if (tree.find(path) === undefined) tree.put(path, tree.newFile());
        };
        await change(`open ${path}`, [{ apply }]);
      } else if (tree.find(path) === undefined) {
        await create(path, '').catch((error: unknown) => {
          if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
        });
      }
      return appendFile(host, process, { path, file: await look(() => tree.file(path)), kind });
    },
    truncate: (path, size) => {
      const file = tree.file(path);
      const cut = (): void => {
        const bytes = file.bytes.slice(0, size);
        Object.assign(file, { bytes, image: bytes });
      };
      return change(`truncate ${path} to ${size}`, [{ apply: cut }, syncStep(host, file)]);
    },
    rename: (from, to, kind) => {
      const apply = (): void => {
        tree.rename(from, to);
        host.watch.onRename?.(from, to);
        if (tree.find(to)?.kind === 'file') {
          host.watch.onContent?.(to, readText(host, process, to), process);
        }
      };
      const sync = kind === 'unsynced' ? [] : [syncNames(to)];
      return change(`rename ${from} to ${to}`, [{ apply }, ...sync]);
    },
    remove: (path) => {
      const steps = tree.below(path).map((one) => ({
        apply: () => {
          if (tree.find(one) !== undefined) removeOne(host, one);
        },
      }));
      if (steps.length === 0) return look(() => undefined);
      return change(`remove ${path}`, steps);
    },
    makeFolder: (path) => {
      if (tree.find(path)?.kind === 'folder') return look(() => undefined);
      return change(`make ${path}`, [
        {
          apply: () => {
            const first = tree.makeFolders(path);
            if (first !== null) tree.syncNames(parentOf(first));
          },
        },
      ]);
    },
  };
}

/** Like `replace`, but without a sync: after a power failure, the file may be empty or have its old content. */
export function replaceUnsynced(host: Host, process: HostProcess): Files['replace'] {
  return (path, content) => {
    const name = `.lifehook-${process.pid}-${host.random.between(0, 1e9)}.tmp`;
    return replaceBy(host, process, { temporary: `${parentOf(path)}/${name}`, path, content });
  };
}

/** Simulates node-scratch-files.ts, which replaces files without a sync. So a crash may lose them. */
export function scratchFilesOf(host: Host, process: HostProcess): Files {
  return {
    ...filesOf(host, process),
    replace: (path, content) =>
      replaceBy(host, process, { temporary: `${path}.tmp`, path, content }),
  };
}

interface Replacement {
  readonly temporary: string;
  readonly path: string;
  readonly content: string;
}

function replaceBy(
  host: Host,
  process: HostProcess,
  { temporary, path, content }: Replacement,
): Promise<void> {
  const { tree } = host;
  const file = tree.newFile();
  const [write] = fillAndSync(host, file, content);
  host.watch.onText?.(path, content);
  const put = (): void => {
    tree.put(temporary, file);
  };
  const rename = (): void => {
    tree.rename(temporary, path);
    host.watch.onReplaced?.(process, path);
  };
  return makeChange(host, process, {
    what: `replace ${path} unsynced`,
    steps: [{ apply: put }, ...(write === undefined ? [] : [write]), { apply: rename }],
    undo: () => {
      tree.unlink(temporary);
    },
  });
}

/** Reads at once, or after a delay in which other processes can run. */
function lookAt<T>(host: Host, process: HostProcess, read: () => T): Promise<T> {
  if (!process.alive) return never();
  const pausedMs = process.pausedUntilMs - host.world.elapsedMs;
  if (!host.random.chance(DELAYED_LOOKS) && pausedMs <= 0) {
    try {
      return Promise.resolve(read());
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return new Promise((resolve, reject) => {
    host.world.after(Math.max(pausedMs, host.random.fraction() * LOOK_MS), () => {
      if (!process.alive) return;
      try {
        resolve(read());
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}

const DELAYED_LOOKS = 0.05;
const LOOK_MS = 1;

/** Removes a file or directory. Another process may have created files in the directory meanwhile. */
function removeOne({ tree }: Host, path: string): void {
  const node = tree.find(path);
  if (node?.kind === 'folder' && node.names.size > 0) {
    // Like `rm -r`, this reads the directory again and removes the new content too.
    for (const one of tree.below(path)) tree.unlink(one);
    return;
  }
  tree.unlink(path);
}

function fillAndSync(host: Host, file: SimFile, content: string): Step[] {
  const add = (text: string): void => {
    file.bytes += text;
    file.image += text;
  };
  const part = content.slice(0, host.random.between(0, content.length));
  const write: Step = {
    fails: 'ENOSPC',
    apply: () => {
      add(content);
    },
    partly: () => {
      add(part);
    },
  };
  return content === '' ? [syncStep(host, file)] : [write, syncStep(host, file)];
}

function syncStep({ tree }: Host, file: SimFile): Step {
  return {
    fails: 'EIO',
    apply: () => {
      file.durable = file.image;
    },
    partly: () => {
      tree.failSync(file);
    },
  };
}

interface Opened {
  readonly path: string;
  readonly file: SimFile;
  readonly kind: 'durable' | 'unsynced' | undefined;
}

/** Appends to the opened file, even if another file has replaced it under its name. */
function appendFile(host: Host, process: HostProcess, { path, file, kind }: Opened): AppendFile {
  const what = `write to ${nameOf(path)}`;
  return {
    write: (text) => {
      host.watch.onText?.(path, text);
      const [write, sync] = fillAndSync(host, file, text);
      const steps = [write, kind === 'durable' ? sync : undefined].filter(
        (step) => step !== undefined,
      );
      return makeChange(host, process, { what, steps });
    },
    sync: () => makeChange(host, process, { what: `sync ${path}`, steps: [syncStep(host, file)] }),
    close: () => (process.alive ? Promise.resolve() : never()),
  };
}

function describe({ tree }: Host, path: string): FileStat {
  const { kind, inode } = tree.get(path);
  const size = tree.visible(path).length;
  return { kind, size, mtimeMs: 0, mode: 0o700, uid: 0, gid: 0, inode };
}

function readText(host: Host, process: HostProcess, path: string): string {
  if (!path.startsWith('/proc/')) return host.tree.file(path).bytes;
  if (path === '/proc/sys/kernel/random/boot_id') return `${host.bootId}\n`;
  const [, , name = '', file] = path.split('/');
  const shown = name === 'self' ? process : host.processes.get(Number(name));
  if (shown === undefined) throw posixError('ENOENT', `ENOENT: no such process, ${path}`);
  if (file === 'stat') return statOf(shown);
  if (file === 'cmdline') return `${shown.argv.join('\0')}\0`;
  throw posixError('ENOENT', `ENOENT: ${path}`);
}
