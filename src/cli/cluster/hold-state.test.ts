import { describe, expect, it } from 'vitest';

import { posixError } from '../../platform/posix-error.ts';
import { FREE_SPACE } from '../system-advice.ts';
import { notWritable } from './hold-state.ts';

describe('the advice for a state directory that cannot be written', () => {
  it.each([
    ['ENOSPC', FREE_SPACE],
    ['EROFS', 'Use a directory of a file system that is not read-only.'],
    ['EEXIST', 'name a directory with --state-dir.'],
    ['ENOTDIR', 'name a directory with --state-dir.'],
    ['EACCES', 'make that directory writable, or choose another one with --state-dir.'],
  ])('depends on the error: %s', (code, next) => {
    expect(notWritable('/state', posixError(code, code)).problems).toMatchObject([{ next }]);
  });
});
