import { expect, it } from 'vitest';

import type { Problem } from '../../model/problem.ts';
import { lintExitCode, lintJson, lintNotes, type LintReport, lintText } from './report.ts';

const at = { file: 'web.yaml', line: 3, column: 5 };
const error: Problem = {
  code: 'LHM001',
  severity: 'error',
  message: 'Pod web: there is no field spec.x.',
  at,
  path: 'spec.x',
  next: 'Remove it.',
};
const warning: Problem = { code: 'LHM011', severity: 'warning', message: 'It is.', next: 'See.' };
const report = (more: Partial<LintReport>): LintReport => ({
  problems: [],
  files: ['web.yaml'],
  skipped: [],
  ...more,
});

it('prints each finding on a line, and counts them', () => {
  expect(lintText(report({ problems: [error, warning, warning] }))).toBe(
    `web.yaml:3:5: error LHM001: Pod web: there is no field spec.x. Next: Remove it.
warning LHM011: It is. Next: See.
warning LHM011: It is. Next: See.
web.yaml: 1 error, 2 warnings
`,
  );
  expect(lintText(report({ files: ['a', 'b'] }))).toBe('2 files: 0 errors, 0 warnings\n');
});

it('prints no control characters of names in manifests', () => {
  const named = { ...warning, message: 'Pod \u001B[2Jweb: it is.' };
  expect(lintText(report({ problems: [named] }))).toContain('Pod \uFFFD[2Jweb: it is.');
  const skipped = [{ path: 'a\u001B[2J.yaml', reason: 'it is empty' }];
  expect(lintNotes(report({ skipped }))).toBe('= skipped: a\uFFFD[2J.yaml: it is empty\n');
});

it('prints findings without nesting as JSON', () => {
  expect(JSON.parse(lintJson(report({ problems: [error, warning] })))).toEqual({
    errors: 1,
    warnings: 1,
    files: ['web.yaml'],
    skipped: [],
    findings: [
      {
        code: 'LHM001',
        severity: 'error',
        file: 'web.yaml',
        line: 3,
        column: 5,
        path: 'spec.x',
        message: 'Pod web: there is no field spec.x.',
        next: 'Remove it.',
      },
      {
        code: 'LHM011',
        severity: 'warning',
        file: null,
        line: null,
        column: null,
        path: null,
        message: 'It is.',
        next: 'See.',
      },
    ],
  });
});

it('names what was read and what was skipped, at most ten of each', () => {
  const files = Array.from({ length: 12 }, (_, index) => `${index}.yaml`);
  const skipped = ['a', 'b'].map((path) => ({ path, reason: 'a kubeconfig' }));
  expect(lintNotes(report({ files, skipped }))).toBe(
    `= read: ${files.slice(0, 10).join(', ')} and 2 more\n= skipped: a, b: a kubeconfig\n`,
  );
  expect(lintNotes(report({}))).toBe('');
});

it('exits with 1 for an error only', () => {
  expect([[], [warning], [warning, error]].map((problems) => lintExitCode(problems))).toEqual([
    0, 0, 1,
  ]);
});
