/** Tests whether other users could replace a file that names what runs as root. The files are real. */
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { compile, version1 } from '../../../../test/fixtures/hooksd/hook-files.ts';
import { nodeFiles } from '../../../platform/files.ts';
import type { FileStat } from '../../../platform/platform.ts';
import { loadHooks } from './load.ts';
import type { LoadedSet } from './resolve.ts';
import { distrust, trustedOwners } from './path-trust.ts';

let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lifehook-trust-'));
  folder = join(root, 'above/hooks.d');
  await mkdir(folder, { recursive: true });
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

const load = (folders = [folder], allowUntrusted = false): Promise<LoadedSet> =>
  loadHooks({
    files: nodeFiles,
    compile,
    folders,
    owners: [0, process.getuid?.() ?? 0],
    allowUntrusted,
  });
const put = (name: string, program: string): Promise<void> =>
  writeFile(
    join(folder, name),
    JSON.stringify(version1({ always: true }, { hook: { path: program } })),
  );
const found = ({ active, problems }: LoadedSet): [number, string[]] => [
  active.length,
  problems.map(({ code, message }) => `${code} ${message.includes(root) ? '' : message}`.trim()),
];

describe('a hook directory is refused', () => {
  beforeEach(() => put('a.json', '/bin/true'));

  test('when others can write to a directory above it, unless that is allowed', async () => {
    await chmod(join(root, 'above'), 0o777);
    expect(found(await load())).toEqual([0, ['LHC112']]);
    expect(found(await load([folder], true))).toEqual([1, []]);
  });

  test('when a link on its path leads through a directory that others can write to', async () => {
    await mkdir(join(root, 'open'));
    await chmod(join(root, 'open'), 0o777);
    await symlink(join(root, 'above'), join(root, 'open/second'));
    await symlink(join(root, 'open/second'), join(root, 'first'));
    expect(found(await load([join(root, 'first/hooks.d')]))).toEqual([0, ['LHC112']]);
  });

  test('when a relative link on its path leads up and through such a directory', async () => {
    await mkdir(join(root, 'open'));
    await chmod(join(root, 'open'), 0o777);
    await symlink(join(root, 'above'), join(root, 'open/second'));
    await mkdir(join(root, 'own'));
    await symlink('../open/second/hooks.d', join(root, 'own/hooks.d'));
    expect(found(await load([join(root, 'own/hooks.d')]))).toEqual([0, ['LHC112']]);
  });

  test('not for a relative link through our own directories, however its path is written', async () => {
    await mkdir(join(root, 'own'));
    await symlink('.././above//hooks.d/', join(root, 'own/hooks.d'));
    expect(found(await load([join(root, 'own/./hooks.d')]))).toEqual([1, []]);
  });

  test('not for the sticky bit above it, with which others cannot rename what is ours', async () => {
    await chmod(join(root, 'above'), 0o1777);
    expect(found(await load())).toEqual([1, []]);
  });

  test('by links that lead in a circle', async () => {
    await symlink('b', join(root, 'a'));
    await symlink('a', join(root, 'b'));
    expect(found(await load([join(root, 'a/hooks.d')]))[0]).toBe(0);
  });
});

describe('the program of a hook is refused', () => {
  const program = (): string => join(root, 'bin/program');
  beforeEach(async () => {
    await mkdir(join(root, 'bin'));
    await writeFile(program(), '', { mode: 0o755 });
    await put('a.json', program());
  });

  test.each([0o775, 0o757])('with mode %o, unless that is allowed', async (mode) => {
    await chmod(program(), mode);
    expect(found(await load())).toEqual([0, ['LHC118']]);
    expect(found(await load([folder], true))).toEqual([1, []]);
  });

  test('in a directory that others can write to', async () => {
    await chmod(join(root, 'bin'), 0o777);
    expect(found(await load())).toEqual([0, ['LHC118']]);
  });

  test('when it is a link whose target is in such a directory', async () => {
    await chmod(join(root, 'bin'), 0o777);
    await symlink(program(), join(root, 'program'));
    await put('a.json', join(root, 'program'));
    expect(found(await load())).toEqual([0, ['LHC118']]);
  });

  describe('when it is a script', () => {
    const interpreter = (): string => join(root, 'lib/interpreter');
    const script = (line: string, path = program()): Promise<void> =>
      writeFile(path, `${line}\necho\n`, { mode: 0o755 });
    beforeEach(async () => {
      await mkdir(join(root, 'lib'));
      await script('#!/bin/sh', interpreter());
    });

    test.each([
      ['', ''],
      [' \t', ' -e'],
      ['', '\t-e'],
    ])('whose interpreter others can write (%j, %j)', async (before, after) => {
      await script(`#!${before}${interpreter()}${after}`);
      expect(found(await load())).toEqual([1, []]);
      await chmod(interpreter(), 0o757);
      expect(found(await load())).toEqual([0, ['LHC118']]);
      expect(found(await load([folder], true))).toEqual([1, []]);
    });

    test('whose interpreter is in a directory that others can write to', async () => {
      await script(`#!${interpreter()}`);
      await chmod(join(root, 'lib'), 0o777);
      expect(found(await load())).toEqual([0, ['LHC118']]);
    });

    test('whose interpreter is a script with such an interpreter', async () => {
      const last = join(root, 'lib/last');
      await writeFile(last, '');
      await chmod(last, 0o757);
      await script(`#!${last}`, interpreter());
      await script(`#!${interpreter()}`);
      expect(found(await load())).toEqual([0, ['LHC118']]);
    });

    test('not for an interpreter that is missing, or is the script itself', async () => {
      await script(`#!${join(root, 'lib/missing')}`);
      expect(found(await load())).toEqual([1, []]);
      await script(`#!${program()}`);
      expect(found(await load())).toEqual([1, []]);
    });
  });

  test('not where it runs in the container, whose files are its own matter', async () => {
    await chmod(program(), 0o757);
    const hook = version1(
      { always: true },
      { hook: { path: program() }, stages: ['startContainer'] },
    );
    await writeFile(join(folder, 'a.json'), JSON.stringify(hook));
    expect(found(await load())).toEqual([1, []]);
  });
});

test('trustedOwners are root and the user, and in a user namespace the owner that stands for root', () => {
  expect(trustedOwners(0, '         0          0 4294967295\n')).toEqual([0]);
  expect(trustedOwners(1000, '         0          0 4294967295\n')).toEqual([0, 1000]);
  expect(trustedOwners(0, '         0       1000          1\n')).toEqual([0, 65_534]);
});

test('trustedOwners reads the whole map of a user namespace, which may have several lines', () => {
  const all = '0 0 4294967295';
  expect(trustedOwners(0, `1 1 1\n${all}`)).toEqual([0, 65_534]);
  expect(trustedOwners(0, `${all}\n1 1 1`)).toEqual([0, 65_534]);
  expect(trustedOwners(0, '  0  0  4294967295  \n')).toEqual([0]);
});

describe('LHC112', () => {
  const trust = { owners: [0, 1000], allowUntrusted: false };
  const refusal = (stat: { mode: number; uid: number }): string | undefined => {
    const problem = distrust('/etc/hooks.d/a.json', stat as FileStat, trust);
    return problem && `${problem.at?.file}:${problem.at?.line}: ${problem.message} ${problem.next}`;
  };

  test('names the mode of a file that others can write to, and the command that mends it', () => {
    expect(refusal({ mode: 0o664, uid: 0 })).toBe(
      '/etc/hooks.d/a.json:1: Only trusted users may decide which hooks run: /etc/hooks.d/a.json is refused, ' +
        'since its mode is 0664, so its group or every user may write to it. ' +
        'Run "chmod go-w /etc/hooks.d/a.json", or allow untrusted hook files: --allow-untrusted, or "allowWritableByOthers": true for lifehook-runtime.',
    );
  });

  test('names the owner of a file, those that it may have, and the command that mends it', () => {
    expect(refusal({ mode: 0o644, uid: 7 })).toBe(
      '/etc/hooks.d/a.json:1: Only trusted users may decide which hooks run: /etc/hooks.d/a.json is refused, ' +
        'since it belongs to user 7, but must belong to user 0 or 1000. ' +
        'Run "chown 0 /etc/hooks.d/a.json", or allow untrusted hook files: --allow-untrusted, or "allowWritableByOthers": true for lifehook-runtime.',
    );
    expect(refusal({ mode: 0o644, uid: 1000 })).toBeUndefined();
  });

  test('quotes a path with a space in the command that mends it', () => {
    const next = (stat: { mode: number; uid: number }): string | undefined =>
      distrust('/my hooks/a.json', stat as FileStat, trust)?.next;
    expect(next({ mode: 0o664, uid: 0 })).toContain(`Run "chmod go-w '/my hooks/a.json'",`);
    expect(next({ mode: 0o644, uid: 7 })).toContain(`Run "chown 0 '/my hooks/a.json'",`);
  });
});
