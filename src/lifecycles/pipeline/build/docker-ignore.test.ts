import { createRequire } from 'node:module';
import type { Ignore } from '@balena/dockerignore';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readDockerIgnore } from './docker-ignore.ts';

/** A plain import fails: the library's types declare a default export that it does not have. */
const oracle = createRequire(import.meta.url)('@balena/dockerignore') as () => Ignore;

describe('a .dockerignore', () => {
  test.each([
    ['*.md\n!README.md', 'a.md', true],
    ['*.md\n!README.md', 'README.md', false],
    ['*.md', 'docs/a.md', false],
    ['**/*.md', 'docs/deep/a.md', true],
    ['node_modules', 'node_modules/a/b', true],
    ['node_modules\n!node_modules/a', 'node_modules/a/b', false],
    ['/dist/', 'dist/a', true],
    ['# dist\n\n  \n', 'dist', false],
    ['dist/**', 'dist', false],
    ['dist/**', 'dist/a/b', true],
    ['a/../b', 'b', true],
    ['.', 'a', false],
    ['*\n!src', 'src/a', false],
    ['*\n!src', 'other', true],
    ['x\r\ny', 'x', true],
  ])('%j ignores %s: %s', (text, path, ignored) => {
    expect(readDockerIgnore(text).ignores(path)).toBe(ignored);
  });

  test('reports the lines that are invalid globs', () => {
    expect(readDockerIgnore('a\n[\n').wrong).toEqual(['[']);
  });

  test('ignores the same paths as the library @balena/dockerignore', () => {
    const name = fc.constantFrom('a', 'b', 'ab', 'a.js', '.h');
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const part = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '*.js', '?', '**', '[ab]', '.h');
    const line = fc
      .tuple(
        fc.constantFrom('', '', '!'),
        fc.constantFrom('', '/'),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '/'),
      )
      .map(([not, start, parts, end]) => `${not}${start}${parts.join('/')}${end}`)
      // Adjacent stars count as one, which the library does not know.
      .filter((text) => !text.includes('**/**'));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), path, (lines, one) => {
        const expected = oracle().add(lines).ignores(one);
        expect(readDockerIgnore(lines.join('\n')).ignores(one)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});
