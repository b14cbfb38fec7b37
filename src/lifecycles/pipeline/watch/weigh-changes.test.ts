import { describe, expect, test } from 'vitest';

import { type ChangedFile, weighChanges } from './weigh-changes.ts';

const file = (more: Partial<ChangedFile>): ChangedFile => ({
  path: '/p/a',
  differs: true,
  isOutput: false,
  hooks: [],
  ...more,
});

const after = { address: 'build/web/after/0', isBeforeBuild: false };
const before = { address: 'build/web/before/0', isBeforeBuild: true };
const none: ReadonlySet<string> = new Set();

describe('changed files after an iteration', () => {
  test('are edits when no hook ran', () => {
    expect(weighChanges([file({})], none)).toMatchObject({ edits: ['/p/a'], warnings: [] });
  });

  test('are ignored when their content is unchanged', () => {
    const { edits, absorbed, warnings } = weighChanges([file({ differs: false })], none);
    expect([edits, absorbed, warnings]).toEqual([[], [], []]);
  });

  test('PIPE-CASE23: give a warning and no edit when a hook rewrote the same content', () => {
    const { edits, warnings } = weighChanges([file({ differs: false, hooks: [after] })], none);
    expect(edits).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('build/web/after/0 wrote')]);
  });

  test('PIPE-CASE23: give a warning and no edit when a before hook changed them', () => {
    const { edits, absorbed, warnings } = weighChanges([file({ hooks: [after, before] })], none);
    expect([edits, absorbed]).toEqual([[], ['/p/a']]);
    expect(warnings).toEqual([expect.stringContaining('build/web/before/0 changes')]);
  });

  test('are an edit the first time an after hook changes them, and then only a warning', () => {
    const first = weighChanges([file({ hooks: [after] })], none);
    expect(first).toMatchObject({ edits: ['/p/a'], warnings: [] });
    const second = weighChanges([file({ hooks: [after] })], first.known);
    expect(second).toMatchObject({ edits: [], absorbed: ['/p/a'] });
    expect(second.warnings).toHaveLength(1);
    const other = weighChanges([file({ path: '/p/b', hooks: [after] })], first.known);
    expect(other.edits).toEqual(['/p/b']);
  });

  test('are absorbed without a warning when they are declared outputs', () => {
    const { edits, absorbed, warnings } = weighChanges(
      [file({ isOutput: true, hooks: [after] })],
      none,
    );
    expect([edits, absorbed, warnings]).toEqual([[], ['/p/a'], []]);
  });
});
