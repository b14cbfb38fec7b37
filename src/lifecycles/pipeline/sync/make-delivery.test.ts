import { describe, expect, test } from 'vitest';

import { expectUnpackedBy } from '../../../../test/fixtures/pipeline/unpack-archive.ts';
import { joinPaths, relativePath } from '../config/paths.ts';

describe('an archive for a container', () => {
  test('is unpacked whole by tar', () => {
    expectUnpackedBy('tar');
  });
});

describe('paths in a container', () => {
  test.each([
    ['lib', 'a.js', 'lib/a.js'],
    ['.', 'a', 'a'],
    ['/x/../y', './a', '/y/a'],
    ['', '../a', '../a'],
    ['a/../..', 'b', '../b'],
    ['/..', 'b', '/b'],
  ])('%s joined with %s is %s', (base, path, joined) => {
    expect(joinPaths(base, path)).toBe(joined);
  });

  test.each([
    ['/srv/app', '/srv/lib/a', '../lib/a'],
    ['/', '/a/b', 'a/b'],
    ['/app', '/', '..'],
    ['/app', '/app', ''],
  ])('relative from %s to %s is %s', (from, to, relative) => {
    expect(relativePath(from, to)).toBe(relative);
  });
});
