/** Tests scans, and the reports of lint about them, with simulated files: races, limits, and the root directory. */
import { describe, expect, it } from 'vitest';

import { compile, version1 } from '../../../../test/fixtures/hooksd/hook-files.ts';
import { nodeFiles } from '../../../platform/files.ts';
import type { Files, FileStat } from '../../../platform/platform.ts';
import { posixError } from '../../../platform/posix-error.ts';
import { lintFolders } from './lint.ts';
import { type FolderScan, scanFolders, type ScanOptions } from './scan.ts';

const good = JSON.stringify(version1({ always: true }));

/** The content of each file by its path; an error: reading it fails. */
type Content = Readonly<Record<string, string | Error>>;

/** A file system that has only these files, the program of the hook, and their directories. */
function filesOf(given: Content): Files {
  const content: Content = { ...given, '/bin/true': '' };
  const stat = async (path: string): Promise<FileStat> => {
    const text = content[path];
    const exists = Object.keys(content).some((file) => file.startsWith(path));
    if (!exists) throw posixError('ENOENT', `no such file: ${path}`);
    const kind = text === undefined ? 'folder' : 'file';
    const size = typeof text === 'string' ? text.length : 0;
    return { kind, size, mtimeMs: 0, mode: 0o755, uid: 0, gid: 0, inode: 1 };
  };
  return {
    ...nodeFiles,
    stat,
    list: async (folder) => {
      const start = folder === '/' ? '/' : `${folder}/`;
      const names = Object.keys(content).filter((path) => path.startsWith(start));
      return names.map((path) => path.slice(start.length));
    },
    realPath: async (path) => path,
    readLink: async () => null,
    readStart: async () => '',
    read: async (path) => {
      const text = content[path];
      if (text instanceof Error) throw text;
      return text ?? '';
    },
  };
}

function optionsOf(content: Content, folders = ['/d']): ScanOptions {
  return { files: filesOf(content), compile, folders, owners: [0], allowUntrusted: false };
}

async function lint(content: Content, folders = ['/d']): Promise<string[]> {
  const problems = await lintFolders(optionsOf(content, folders));
  return problems.map(
    ({ code, severity, message, next, at }) =>
      `${at?.file}:${at?.line}:${at?.column} ${severity} ${code} ${message} ${next}`,
  );
}

describe('a scan of a directory', () => {
  it('keeps the slash of the root directory', async () => {
    const scans = await scanFolders(optionsOf({}, ['/']));
    expect(scans).toEqual([{ folder: '/', state: 'read', findings: [], problems: [] }]);
  });

  it('has no finding for a missing directory', async () => {
    const scans = await scanFolders(optionsOf({ '/d/a.json': good }, ['/e']));
    expect(scans).toEqual([{ folder: '/e', state: 'missing', findings: [], problems: [] }]);
  });

  it('reads at most 10 000 hook files, and none of more', async () => {
    const scan = (count: number): Promise<FolderScan[]> => {
      const options = optionsOf({ '/d/a.json': good });
      const list = async (): Promise<string[]> => Array<string>(count).fill('a.json');
      return scanFolders({ ...options, files: { ...options.files, list } });
    };
    expect((await scan(10_000))[0]?.findings).toHaveLength(10_000);
    expect(await scan(10_001)).toEqual([
      {
        folder: '/d',
        state: 'failed',
        findings: [],
        problems: [
          {
            code: 'LHC110',
            severity: 'error',
            message: 'A hook directory has at most 10000 hook files; /d has 10001.',
            at: { file: '/d', line: 1, column: 1 },
            next: 'Remove what is not needed; none of its files are used until then.',
          },
        ],
      },
    ]);
  });

  it('reads a file of 1 MiB, and does not read a larger one', async () => {
    const [scan] = await scanFolders(
      optionsOf({ '/d/a.json': good.padEnd(1_048_576), '/d/b.json': good.padEnd(1_048_577) }),
    );
    expect(scan?.findings).toMatchObject([
      { name: 'a.json', kind: 'good' },
      { name: 'b.json', kind: 'bad', wasRead: false, problems: [{ code: 'LHC110' }] },
    ]);
  });

  it('skips a file that was removed since the directory was listed', async () => {
    expect(await lint({ '/d/a.json': posixError('ENOENT', 'removed') })).toEqual([
      '/d/a.json:1:1 warning LHC114 a.json is a broken symbolic link, and is skipped. Remove it; to switch a hook off, link its name to /dev/null.',
    ]);
  });

  it('reports a file that cannot be read', async () => {
    expect(await lint({ '/d/a.json': posixError('EIO', 'input/output error') })).toEqual([
      '/d/a.json:1:1 error LHC111 /d/a.json could not be read: input/output error. Make it readable, or remove it.',
    ]);
  });

  it('names the command for a single file if a file is named instead of a directory', async () => {
    const options = optionsOf({}, ['/my hooks/a.json']);
    const list = (): Promise<string[]> => Promise.reject(posixError('ENOTDIR', 'not a directory'));
    const files = { ...options.files, list };
    expect(await scanFolders({ ...options, files })).toMatchObject([
      {
        state: 'failed',
        problems: [
          {
            code: 'LHC111',
            message:
              'Hook files are read from whole directories, but /my hooks/a.json is not a directory.',
            at: { file: '/my hooks/a.json' },
            next: "Name the directory of the hook file; `lifehook lint '/my hooks/a.json'` checks a single file.",
          },
        ],
      },
    ]);
  });

  it('reports a directory that cannot be read, and does not take it for a missing one', async () => {
    const options = optionsOf({});
    const list = (): Promise<string[]> => Promise.reject(posixError('EACCES', 'no permission'));
    expect(await scanFolders({ ...options, files: { ...options.files, list } })).toMatchObject([
      { state: 'failed', problems: [{ code: 'LHC111', next: 'Make it readable, or remove it.' }] },
    ]);
  });

  it('keeps a hook whose interpreter is in a directory that does not exist', async () => {
    const options = optionsOf({ '/d/a.json': good });
    const readStart = async (): Promise<string> => '#!/opt/python/bin/python3\n';
    const [scan] = await scanFolders({ ...options, files: { ...options.files, readStart } });
    expect(scan).toMatchObject({ findings: [{ name: 'a.json', kind: 'good' }], problems: [] });
  });

  it('refuses a file that others may write to at its own place', async () => {
    const options = optionsOf({ '/d/a.json': good });
    const files = {
      ...options.files,
      stat: async (path: string) => {
        const stat = await options.files.stat(path);
        return path === '/d/a.json' ? { ...stat, mode: 0o666 } : stat;
      },
    };
    const [scan] = await scanFolders({ ...options, files });
    expect(scan?.findings).toMatchObject([
      { problems: [{ code: 'LHC112', at: { file: '/d/a.json', line: 1, column: 1 } }] },
    ]);
  });
});

describe('lint of directories', () => {
  const named = (text: string): string[] => text.split(' ').map((name) => `/d/${name}.json`);
  const caseProblem = (later: string, first: string): string =>
    `/d/${later}.json:1:1 warning LHC119 ${later}.json and ${first}.json differ only in case: both are hooks, and their order is not defined in Podman and CRI-O. Rename one of them.`;

  it('compares names that differ in case with the first of them', async () => {
    const content = Object.fromEntries(named('AB Ab ab').map((path) => [path, good]));
    expect(await lint(content)).toEqual([caseProblem('Ab', 'AB'), caseProblem('ab', 'AB')]);
  });

  it('has no warning for a file that masks the one of the same name', async () => {
    expect(await lint({ '/d/a.json': good, '/e/a.json': good }, ['/d', '/e'])).toEqual([]);
  });

  it('does not look for the program of a hook that runs inside of the container', async () => {
    const inside = version1(
      { always: true },
      { hook: { path: '/nowhere' }, stages: ['startContainer'] },
    );
    expect(await lint({ '/d/a.json': JSON.stringify(inside) })).toEqual([]);
  });

  it('reports the keys of a file that is bad as well', async () => {
    const bad = '{"hook":5,"stages":["poststop"],"stags":[]}';
    expect((await lint({ '/d/a.json': bad })).map((line) => line.slice(0, 30))).toEqual([
      '/d/a.json:1:9 error LHC102 hoo',
      '/d/a.json:1:1 error LHC104 The',
      '/d/a.json:1:33 warning LHC137 ',
    ]);
  });
});
