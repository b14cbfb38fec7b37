import { describe, expect, test } from 'vitest';

import { artifactIn } from '../../../../test/fixtures/pipeline/build-stand.ts';
import type { SyncConfig } from '../config/model.ts';
import { MAX_SYNC_FILES, planSync, type SyncPlan } from './plan-sync.ts';

const hooks = { before: [], after: [], onError: [], finally: [] };

function plan(
  sync: Partial<SyncConfig> | null,
  modified: readonly string[],
  { deleted = [], kept = [] }: Partial<Record<'deleted' | 'kept', readonly string[]>> = {},
): SyncPlan {
  const whole =
    sync === null ? null : { mode: 'manual' as const, manual: [], infer: [], hooks, ...sync };
  const artifact = artifactIn('/p/web', 'web', { sync: whole });
  const inContext = (paths: readonly string[]): string[] => paths.map((path) => `/p/web/${path}`);
  const changes = {
    modified: inContext(modified),
    deleted: inContext(deleted),
    present: inContext([...modified, ...deleted, ...kept]),
  };
  return planSync(artifact, changes, (path) => (path.startsWith('src/') ? [`/app/${path}`] : null));
}

const rule = (src: string, dest: string, strip = ''): SyncConfig['manual'][number] => ({
  src,
  dest,
  strip,
});

function copies(result: SyncPlan): string[] | string {
  if (result.kind === 'rebuild') return result.reason;
  return result.copies.map(({ from, to }) => `${from.slice('/p/web/'.length)} > ${to}`);
}

type Row = readonly [title: string, rule: SyncConfig['manual'][number], path: string, to: string];

const titled = (rows: readonly Row[]): { title: string; row: Row }[] =>
  rows.map((row) => ({ title: row[0], row }));

test('a changed file outside of the context requires a build, whatever the rules match', () => {
  for (const sync of [{ mode: 'auto' }, { manual: [rule('**', '.')] }] as const) {
    const whole = { mode: 'manual' as const, manual: [], infer: [], hooks, ...sync };
    const artifact = artifactIn('/p/web', 'web', { sync: whole });
    const changes = { modified: ['/p/schema/a.sql'], deleted: [], present: [] };
    expect(planSync(artifact, changes, (path) => [`/${path}`])).toEqual({
      kind: 'rebuild',
      reason: '/p/schema/a.sql is not in its context',
    });
  }
});

describe('a sync by manual rules', () => {
  test.each(
    titled([
      ['keeps the path below dest', rule('src/**/*.js', 'raw'), 'src/a/b.js', 'raw/src/a/b.js'],
      [
        'removes the prefix that strip names',
        rule('src/**', 'raw', 'src/'),
        'src/a/b.js',
        'raw/a/b.js',
      ],
      [
        'keeps a path that does not start with strip',
        rule('**/*.js', '.', 'lib/'),
        'src/b.js',
        'src/b.js',
      ],
      ['takes an absolute dest', rule('*.py', '/app'), 'main.py', '/app/main.py'],
      ['takes "." as the working directory', rule('*.py', '.'), 'main.py', 'main.py'],
      ['normalizes the joined path', rule('*.py', './x/../y/'), 'main.py', 'y/main.py'],
      [
        'never leaves the root of an absolute dest',
        rule('*.py', '/../../app'),
        'main.py',
        '/app/main.py',
      ],
    ]),
  )('$title', ({ row: [, one, path, to] }) => {
    expect(copies(plan({ manual: [one] }, [path]))).toEqual([`${path} > ${to}`]);
  });

  test('copies a file once to each destination whose rule matches', () => {
    const rules = [rule('src/**', '/a'), rule('**/*.js', '/b', 'src/'), rule('src/x.js', '/a')];
    expect(copies(plan({ manual: rules }, ['src/x.js']))).toEqual([
      'src/x.js > /a/src/x.js',
      'src/x.js > /b/x.js',
    ]);
  });

  test('falls back to a build when one changed file matches no rule', () => {
    expect(copies(plan({ manual: [rule('src/**', '.')] }, ['src/a', 'go.mod']))).toBe(
      'no sync rule matches go.mod',
    );
  });

  test('deletes a deleted file at every destination', () => {
    const rules = [rule('src/**', '/a'), rule('**/*.js', 'b')];
    expect(plan({ manual: rules }, [], { deleted: ['src/x.js'] })).toEqual({
      kind: 'sync',
      copies: [],
      deletes: ['/a/src/x.js', 'b/src/x.js'],
    });
  });

  test('falls back to a build when another file has the destination of a deleted one', () => {
    const manual = [rule('a/*', '/conf', 'a/'), rule('b/*', '/conf', 'b/')];
    expect(copies(plan({ manual }, [], { deleted: ['a/x'], kept: ['b/y', 'b/x'] }))).toBe(
      'b/x has the same destination as a deleted file',
    );
    expect(plan({ manual }, [], { deleted: ['a/x'], kept: ['b/y', 'c/x'] })).toMatchObject({
      deletes: ['/conf/x'],
    });
    expect(plan({ manual }, ['b/x'], { deleted: ['a/x'] })).toMatchObject({
      copies: [{ to: '/conf/x' }],
      deletes: ['/conf/x'],
    });
  });

  test('falls back to a build when a deleted file matches no rule', () => {
    expect(copies(plan({ manual: [rule('src/**', '.')] }, [], { deleted: ['x'] }))).toBe(
      'no sync rule matches x',
    );
  });

  test.each([rule('x', '/', 'x'), rule('x', '.', 'x'), rule('x', '..', 'x')])(
    'falls back to a build instead of deleting a directory: %j',
    (one) => {
      expect(plan({ manual: [one] }, [], { deleted: ['x'] })).toMatchObject({ kind: 'rebuild' });
    },
  );

  test('copies a file with ";" in its name (PIPE-CASE35)', () => {
    expect(copies(plan({ manual: [rule('**', '.')] }, ['a;b.txt']))).toEqual(['a;b.txt > a;b.txt']);
  });

  test('falls back to a build without rules, or with more files than the limit', () => {
    const many = Array.from({ length: MAX_SYNC_FILES + 1 }, (_, index) => `f${index}`);
    expect(copies(plan(null, ['a']))).toBe('it has no sync rules');
    expect(copies(plan({ manual: [rule('**', '.')] }, many))).toMatch(/^more than 10000 files/);
  });
});

describe('an inferred sync', () => {
  test('copies a file to the place that the build gives it', () => {
    expect(copies(plan({ mode: 'infer', infer: ['**/*.js'] }, ['src/a.js']))).toEqual([
      'src/a.js > /app/src/a.js',
    ]);
  });

  test('falls back to a build for a file without a pattern, a file without a known place, and a deletion', () => {
    const sync = { mode: 'infer', infer: ['**/*.js'] } as const;
    expect(copies(plan(sync, ['src/a.css']))).toBe('no pattern of sync.infer matches src/a.css');
    expect(copies(plan(sync, ['lib/a.js']))).toMatch(
      /^the build does not show where lib\/a.js is in the image/,
    );
    expect(copies(plan(sync, [], { deleted: ['src/a.js'] }))).toMatch(/^src\/a.js was deleted/);
  });

  test('copies every file in mode auto', () => {
    expect(copies(plan({ mode: 'auto' }, ['src/a.css']))).toEqual(['src/a.css > /app/src/a.css']);
  });
});
