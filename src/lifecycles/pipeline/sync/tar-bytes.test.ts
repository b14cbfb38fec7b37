import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { joinPaths, relativePath } from './container-path.ts';
import { tarBytes, type TarEntry } from './tar-bytes.ts';

const LONG = `${'deep/'.repeat(30)}${'n'.repeat(80)}.txt`;

const entries: readonly TarEntry[] = [
  { name: 'a.txt', mode: 0o644, content: 'hello' },
  { name: 'bin/run', mode: 0o755, content: '#!/bin/sh\n' },
  { name: 'semi;colon and "quotes"', mode: 0o600, content: '' },
  { name: 'naïve/ünï.txt', mode: 0o644, content: 'x'.repeat(513) },
  { name: LONG, mode: 0o644, content: '\u0000\u00ff'.repeat(300) },
];

describe('an archive for a container', () => {
  test('is unpacked whole by tar', () => {
    expectUnpackedBy('tar');
  });

  test('is unpacked whole by busybox', { tags: 'busybox' }, () => {
    expectUnpackedBy('busybox', 'tar');
  });
});

function expectUnpackedBy(program: string, ...words: readonly string[]): void {
  const input = Buffer.concat(tarBytes(entries));
  const at = mkdtempSync(join(tmpdir(), 'lifehook-untar-'));
  try {
    execFileSync(program, [...words, '-xmof', '-', '-C', at], { input });
    for (const { name, mode, content } of entries) {
      expect(readFileSync(join(at, name), 'latin1')).toBe(content);
      expect(statSync(join(at, name)).mode & 0o100).toBe(mode & 0o100);
    }
  } finally {
    rmSync(at, { recursive: true, force: true });
  }
}

describe('paths in a container', () => {
  test.each([
    ['lib', 'a.js', 'lib/a.js'],
    ['.', 'a', 'a'],
    ['/x/../y', './a', '/y/a'],
    ['', '../a', '../a'],
    ['a/../..', 'b', '../b'],
    ['/..', 'b', '/b'],
  ])('%s and %s is %s', (base, path, joined) => {
    expect(joinPaths(base, path)).toBe(joined);
  });

  test.each([
    ['/srv/app', '/srv/lib/a', '../lib/a'],
    ['/', '/a/b', 'a/b'],
    ['/app', '/', '..'],
    ['/app', '/app', ''],
  ])('from %s, %s is %s', (from, to, relative) => {
    expect(relativePath(from, to)).toBe(relative);
  });
});
