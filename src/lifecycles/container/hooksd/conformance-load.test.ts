/** The conformance cases about directories, precedence and broken files, on real files. */
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { compile, version1 } from '../../../../test/fixtures/hooksd/hook-files.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { loadHooks, refusalsOf, type LoadPolicy } from './load.ts';
import type { LoadedSet } from './resolve.ts';
import type { ScanOptions } from './scan.ts';

const lenient: LoadPolicy = { badFiles: 'skip', brokenHooks: 'skip' };
const strict: LoadPolicy = { badFiles: 'refuse', brokenHooks: 'fail' };

let root: string;
let vendor: string;
let admin: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lifehook-hooksd-'));
  vendor = join(root, 'vendor');
  admin = join(root, 'admin');
  for (const folder of [vendor, admin]) await mkdir(folder, { mode: 0o755 });
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

function load(more: Partial<ScanOptions> = {}): Promise<LoadedSet> {
  return loadHooks({
    files: nodeFiles,
    compile,
    folders: [vendor, admin],
    owners: [0, process.getuid?.() ?? 0],
    allowUntrusted: false,
    ...more,
  });
}

async function put(folder: string, name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  await writeFile(path, text, { mode: 0o644 });
  return path;
}

/** A hook that is identified by its argument. */
function hook(mark: string, path = '/bin/true'): object {
  return version1({ always: true }, { hook: { path, args: ['true', mark] } });
}

function marks({ active }: LoadedSet): (string | undefined)[] {
  return active.map((file) => file.hook.args?.[1]);
}

function codes({ problems }: LoadedSet): string[] {
  return problems.map(({ code }) => code);
}

describe('directories', () => {
  test('a file of a later directory masks the one of the same name, and files of all directories are ordered by name', async () => {
    await put(vendor, '01-UPPERCASE.json', hook('1'));
    await put(vendor, '02-another.json', hook('2'));
    await put(vendor, '03-last.json', hook('3'));
    await put(admin, '02-another.json', hook('2 of admin'));
    await put(admin, '01-my-hook.json', hook('0'));
    const set = await load();
    expect(marks(set)).toEqual(['0', '1', '2 of admin', '3']);
    expect(
      set.entries.map(({ name, state, maskedBy }) => ({ name, state, maskedBy })),
    ).toContainEqual({
      name: '02-another.json',
      state: 'masked',
      maskedBy: join(admin, '02-another.json'),
    });
  });

  test('a directory may be given with a trailing slash', async () => {
    const path = await put(vendor, 'a.json', '{');
    const { problems } = await load({ folders: [`${vendor}/`] });
    expect(problems).toMatchObject([{ code: 'LHC101', at: { file: path } }]);
  });

  test('names that differ in case are different hooks', async () => {
    await put(vendor, 'a.json', hook('a'));
    await put(admin, 'A.json', hook('A'));
    expect(marks(await load())).toEqual(['A', 'a']);
  });

  test('OCI-CASE15: README is ignored, x.JSON is ignored with a warning, dotfiles count', async () => {
    await put(vendor, 'README', 'not JSON');
    await put(vendor, 'x.JSON', 'not JSON');
    await put(vendor, '.json', hook('dot'));
    const set = await load();
    expect(marks(set)).toEqual(['dot']);
    expect(set.problems).toMatchObject([
      { code: 'LHC115', severity: 'warning', at: { file: join(vendor, 'x.JSON') } },
    ]);
    expect(refusalsOf(set, strict)).toEqual([]);
  });

  test('a missing directory is accepted, and a path that is not a directory is reported', async () => {
    await put(vendor, 'a.json', hook('a'));
    const missing = await load({ folders: [vendor, join(root, 'nowhere')] });
    expect([marks(missing), codes(missing)]).toEqual([['a'], []]);
    const noFolder = await load({ folders: [vendor, join(vendor, 'a.json')] });
    expect([marks(noFolder), codes(noFolder)]).toEqual([['a'], ['LHC111']]);
    expect(refusalsOf(noFolder, lenient)).toEqual([]);
    expect(refusalsOf(noFolder, strict)).toMatchObject([{ code: 'LHC111' }]);
  });

  test('a directory named x.json is reported', async () => {
    await mkdir(join(vendor, 'x.json'));
    expect(codes(await load())).toEqual(['LHC111']);
  });
});

describe('links', () => {
  test('a link to the null device disables the hook of this name', async () => {
    await put(vendor, 'a.json', hook('a'));
    await symlink('/dev/null', join(admin, 'a.json'));
    const set = await load();
    expect([marks(set), codes(set)]).toEqual([[], []]);
    expect(set.entries.map(({ folder, state }) => [folder, state])).toEqual([
      [admin, 'disabled'],
      [vendor, 'masked'],
    ]);
  });

  test('a dangling link is skipped with a warning and masks nothing', async () => {
    await put(vendor, 'a.json', hook('a'));
    await symlink(join(root, 'nowhere'), join(admin, 'a.json'));
    const set = await load();
    expect([marks(set), codes(set)]).toEqual([['a'], ['LHC114']]);
    expect(refusalsOf(set, strict)).toEqual([]);
  });
});

describe('bad files', () => {
  test('OCI-CASE13: a malformed file is an error with its place; the other files still load, unless strict', async () => {
    const bad = await put(vendor, 'bad.json', '{\n  "hook": "/bin/true"\n  "stages": []\n}');
    await put(vendor, 'good.json', hook('good'));
    const set = await load();
    expect(marks(set)).toEqual(['good']);
    const problem = { code: 'LHC101', at: { file: bad, line: 3, column: 3 } };
    expect(set.problems).toMatchObject([problem]);
    expect(refusalsOf(set, lenient)).toEqual([]);
    expect(refusalsOf(set, strict)).toMatchObject([problem]);
  });

  test('OCI-CASE14: an unrecognised version refuses the whole set when the policy refuses bad files', async () => {
    await put(vendor, 'a.json', '{"version": "-1"}');
    expect(refusalsOf(await load(), strict)).toMatchObject([{ code: 'LHC103' }]);
  });

  test('a bad override masks nothing', async () => {
    await put(vendor, 'a.json', hook('vendor'));
    await put(admin, 'a.json', '{');
    expect(marks(await load())).toEqual(['vendor']);
  });

  test('OCI-CASE16: a hook whose program is missing is broken: left out, or refused', async () => {
    const path = await put(vendor, 'a.json', hook('a', '/nowhere/hook'));
    await put(vendor, 'b.json', hook('b'));
    const set = await load();
    expect(marks(set)).toEqual(['b']);
    expect(set.entries[0]).toMatchObject({ name: 'a.json', state: 'broken' });
    expect(set.problems).toMatchObject([{ code: 'LHC113', at: { file: path, line: 1 } }]);
    expect(refusalsOf(set, lenient)).toEqual([]);
    expect(refusalsOf(set, strict)).toMatchObject([{ code: 'LHC113' }]);
  });

  test('OCI-CASE16: an override whose program is missing masks nothing', async () => {
    await put(vendor, 'a.json', hook('vendor'));
    await put(admin, 'a.json', hook('admin', '/nowhere/hook'));
    expect(marks(await load())).toEqual(['vendor']);
  });

  test('a missing program is not reported for startContainer alone, which runs inside the container', async () => {
    const inside = { hook: { path: '/nowhere/hook' }, stages: ['startContainer'] };
    await put(vendor, 'a.json', version1({ always: true }, inside));
    expect(codes(await load())).toEqual([]);
  });

  test('a file over the size limit is refused', async () => {
    await put(vendor, 'a.json', ' '.repeat(1_048_577));
    expect(codes(await load())).toEqual(['LHC110']);
  });
});

describe('files that others may write to', () => {
  test.each([0o664, 0o646])(
    'a file of mode %o is refused, unless that is allowed',
    async (mode) => {
      const path = await put(vendor, 'a.json', hook('a'));
      await chmod(path, mode);
      const set = await load();
      expect([marks(set), codes(set)]).toEqual([[], ['LHC112']]);
      expect(set.problems[0]?.message).toContain(`its mode is 0${mode.toString(8)}`);
      expect(marks(await load({ allowUntrusted: true }))).toEqual(['a']);
    },
  );

  test('a directory that others may write to is refused with all its files', async () => {
    await put(vendor, 'a.json', hook('a'));
    await put(admin, 'b.json', hook('b'));
    await chmod(vendor, 0o777);
    const set = await load();
    expect([marks(set), codes(set)]).toEqual([['b'], ['LHC112']]);
    expect(marks(await load({ allowUntrusted: true }))).toEqual(['a', 'b']);
  });

  test('a link into a directory that others may write to is refused', async () => {
    await mkdir(join(root, 'open'));
    await chmod(join(root, 'open'), 0o777);
    const target = await put(join(root, 'open'), 'target', hook('a'));
    await symlink(target, join(vendor, 'a.json'));
    expect(codes(await load())).toEqual(['LHC112']);
  });

  test('directories of another owner are refused with all their files', async () => {
    await put(vendor, 'a.json', hook('a'));
    const set = await load({ owners: [4_294_967_294] });
    expect([marks(set), codes(set)]).toEqual([[], ['LHC112', 'LHC112']]);
    expect(set.problems[0]?.message).toContain('must belong to user 4294967294');
  });
});
