/**
 * Tests rules 1 to 4 of resolve.ts, which determine the hook file for each name. They need scan results only, no files.
 */
import { describe, expect, test } from 'vitest';

import { hookFile, version1 } from '../../../../test/fixtures/hooksd/hook-files.ts';
import type { Problem } from '../../../model/problem.ts';
import type { HookFile } from './hook-file.ts';
import { rememberGood, resolveScans } from './resolve.ts';
import type { Finding, FolderScan } from './scan.ts';

const problem: Problem = {
  code: 'LHC101',
  severity: 'error',
  message: 'wrong',
  next: 'correct it',
};

function fileOf(path: string, mark: string = 'now'): HookFile {
  const at = path.lastIndexOf('/');
  const hook = { hook: { path: '/bin/true', args: ['true', mark] } };
  const file = hookFile(version1({ always: true }, hook));
  return { ...file, folder: path.slice(0, at), name: path.slice(at + 1) };
}

type Kind = Finding['kind'];

function finding(path: string, kind: Kind): Finding {
  const file = fileOf(path);
  const { folder, name } = file;
  switch (kind) {
    case 'good':
      return { kind, folder, name, file };
    case 'disabled':
      return { kind, folder, name };
    case 'bad':
      return { kind, folder, name, wasRead: true, problems: [problem] };
    case 'broken':
    case 'unsafe':
      return { kind, folder, name, file, problem };
    default:
      return kind satisfies never;
  }
}

const scan = (folder: string, files: Readonly<Record<string, Kind>>): FolderScan => ({
  folder,
  state: 'read',
  findings: Object.entries(files).map(([name, kind]) => finding(`${folder}/${name}`, kind)),
  problems: [],
});

const failed = (folder: string): FolderScan => ({
  folder,
  state: 'failed',
  findings: [],
  problems: [problem],
});

const before = (...paths: string[]): ReadonlyMap<string, HookFile> =>
  new Map(paths.map((path) => [path, fileOf(path, 'before')]));

/** Each entry as "/b/x active", and the marks of the files in force. */
function resolved(scans: readonly FolderScan[], lastGood = before()): unknown {
  const { entries, active } = resolveScans(scans, lastGood);
  return {
    entries: entries.map(({ folder, name, state }) => `${folder}/${name} ${state}`),
    active: active.map(({ folder, name, hook }) => `${folder}/${name} ${hook.args?.[1] ?? ''}`),
  };
}

describe('the meaning of a name', () => {
  test.each([
    ['good', ['/b/x active', '/a/x masked'], ['/b/x now']],
    ['disabled', ['/b/x disabled', '/a/x masked'], []],
    ['bad', ['/b/x bad', '/a/x active'], ['/a/x now']],
    ['broken', ['/b/x broken', '/a/x active'], ['/a/x now']],
    ['unsafe', ['/b/x bad', '/a/x active'], ['/a/x now']],
  ] as const)('where the stronger file is %s', (kind, entries, active) => {
    const scans = [scan('/a', { x: 'good' }), scan('/b', { x: kind })];
    expect(resolved(scans)).toEqual({ entries, active });
  });

  test('OCI-CASE19: a file that became bad is used as it was, with a warning, and masks', () => {
    const scans = [scan('/a', { x: 'good' }), scan('/b', { x: 'bad' })];
    const lastGood = before('/b/x');
    expect(resolved(scans, lastGood)).toEqual({
      entries: ['/b/x kept', '/a/x masked'],
      active: ['/b/x before'],
    });
    expect(resolveScans(scans, lastGood).problems).toEqual([
      problem,
      {
        code: 'LHC116',
        severity: 'warning',
        message: 'The last good version of this file stays in use.',
        at: { file: '/b/x', line: 1, column: 1 },
        next: 'Correct the file; or remove it, to disable its hook.',
      },
    ]);
  });

  test.each(['unsafe', 'broken', 'disabled'] as const)(
    'a file that became %s is not used as it was',
    (kind) => {
      const scans = [scan('/b', { x: kind })];
      expect(resolved(scans, before('/b/x'))).toMatchObject({ active: [] });
    },
  );

  test('the problems of directories come before those of files, each with its own', () => {
    const scans = [failed('/a'), scan('/b', { x: 'unsafe', y: 'broken', z: 'bad' })];
    const { problems, failedFolders, entries } = resolveScans(scans, before());
    expect(problems).toHaveLength(4);
    expect(failedFolders).toEqual(['/a']);
    expect(entries.map((entry) => entry.problems)).toEqual([[problem], [problem], [problem]]);
  });
});

describe('a directory that fails', () => {
  test('keeps in force every file that was good in it, and none of another', () => {
    const scans = [failed('/a'), scan('/b', { y: 'good' })];
    expect(resolved(scans, before('/a/x', '/b/gone'))).toEqual({
      entries: ['/a/x kept', '/b/y active'],
      active: ['/a/x before', '/b/y now'],
    });
    expect(resolved([failed('/a')])).toEqual({ entries: [], active: [] });
  });

  test('does not hide the files of a stronger directory', () => {
    const scans = [failed('/a'), scan('/b', { x: 'good' })];
    expect(resolved(scans, before('/a/x'))).toEqual({
      entries: ['/b/x active', '/a/x masked'],
      active: ['/b/x now'],
    });
  });
});

describe('what the next reload may fall back on', () => {
  const marks = (scans: readonly FolderScan[], lastGood = before()): string[] =>
    [...rememberGood(scans, lastGood)].map(([path, { hook }]) => `${path} ${hook.args?.[1] ?? ''}`);

  test('is every good file, and a bad one as it was', () => {
    const scans = [scan('/a', { x: 'good', y: 'bad', z: 'bad' })];
    expect(marks(scans, before('/a/x', '/a/y'))).toEqual(['/a/x now', '/a/y before']);
  });

  test.each(['unsafe', 'broken', 'disabled'] as const)('is no %s file', (kind) => {
    expect(marks([scan('/a', { x: kind })], before('/a/x'))).toEqual([]);
  });

  test('is no file that was removed, but those of a directory that fails', () => {
    expect(marks([scan('/a', {})], before('/a/x'))).toEqual([]);
    expect(marks([failed('/a')], before('/a/x', '/b/x'))).toEqual(['/a/x before']);
  });
});
