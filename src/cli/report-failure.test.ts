import process from 'node:process';
import { expect, it, vi } from 'vitest';

import { formatProblem, type Problem } from '../model/problem.ts';
import { posixError } from '../platform/posix-error.ts';
import { reportFailure, unreadablePath } from './report-failure.ts';
import { colouredProblem } from './report-problems.ts';

const mark = (format: unknown, text: string): string => `<${String(format)} ${text}>`;

it.each([
  ['error', '<red error> LHG015: It failed. <bold Next:> Look at it.'],
  ['warning', 'a.yaml:3:1: <yellow warning> LHG015: It failed. <bold Next:> Look at it.'],
] as const)(
  'a problem in colour has its severity and its next step marked: %s',
  (severity, text) => {
    const at = severity === 'warning' ? { at: { file: 'a.yaml', line: 3, column: 1 } } : {};
    const about = { code: 'LHG015', message: 'It failed.', next: 'Look at it.' };
    const problem: Problem = { ...about, ...at, severity };
    expect(colouredProblem(formatProblem(problem), severity, mark)).toBe(text);
  },
);

it('names an empty path, such as that of an unset variable', () => {
  const error = Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'stat', path: '' });
  expect(unreadablePath(error)).toEqual({
    code: 'LHM020',
    severity: 'error',
    message: 'The path "" does not exist.',
    next: 'Correct the path.',
  });
});

it.each([
  ['EISDIR', '/a must be a regular file, but is a directory.'],
  ['ENXIO', '/a must be a regular file, but is a socket, or a pipe that no process writes to.'],
  ['EACCES', '/a cannot be read (EACCES).', 'Get the right to read it'],
  ['EFBIG', '/a cannot be read (EFBIG).', 'Name a smaller file.'],
  ['EIO', '/a cannot be read (EIO).', 'Check that it is a file'],
])('says why a path cannot be read: %s', (code, message, next = 'Name a regular file') => {
  const error = Object.assign(new Error(code), { code, syscall: 'read', path: '/a' });
  const at = { file: '/a', line: 1, column: 1 };
  expect(unreadablePath(error)).toMatchObject({
    code: 'LHM021',
    at,
    message,
    next: expect.stringContaining(next) as string,
  });
});

it.each([
  ['ENOSPC', 'Free space on that file system'],
  ['EMFILE', 'Raise the limit of open files'],
  ['EPERM', 'check that the path is right'],
])('advises what helps against a failure of the operating system: %s', (code, next) => {
  let said = '';
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  try {
    expect(reportFailure(posixError(code, `${code}: it failed`))).toBe(1);
  } finally {
    stderr.mockRestore();
  }
  expect(said).toContain(`error LHG002: The operating system reported: ${code}: it failed.`);
  expect(said).toContain(`Next: ${next}`);
});
