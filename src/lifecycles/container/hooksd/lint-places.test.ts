/** Lint reports a problem at the position of that part of the hook file which causes it. */
import { expect, it } from 'vitest';

import { compile, hookFile, version1 } from '../../../../test/fixtures/hooksd/hook-files.ts';
import { encodeUtf8 } from '../../../platform/byte-text.ts';
import { patternsOf } from './check-hook.ts';
import { lintHookFile } from './lint.ts';

function places(text: string): string[] {
  const source = { folder: '/d', name: 'a.json', text: encodeUtf8(text) };
  return lintHookFile(source, { compile }).map(
    ({ code, at }) => `${code} ${at?.file}:${at?.line}:${at?.column}`,
  );
}

const old = (more: string): string => `{"hook":"/a","stages":["poststop"],${more}}`;

it.each([
  ['LHC106', '{"hook":^"a","stages":["poststop"],"cmds":["x"]}'],
  ['LHC104', '{"hook":^"","stages":["poststop"],"cmds":["x"]}'],
  ['LHC104', '  ^{"hook":"/a"}'],
  ['LHC104', '^  null'],
  ['LHC105', old('"cmds":["x"],"cmd":^["x"]')],
  ['LHC132', old('"hasbindmounts":^false,"cmds":["x"]')],
  ['LHC133', old('"annotations":^[]')],
  ['LHC134', old('"annotations":["x",^""]')],
  [
    'LHC136',
    '{"version":"1.0.0","hook":{"path":"/a"},"when":{"always":^true,"commands":["x"]},"stages":["poststop"]}',
  ],
  ['LHC135', '{"hook":"/a","stages":^[],"cmds":["x"]}'],
  [
    'LHC142',
    '{"version":"1.0.0","hook":{"path":"/a","args":[^"-v"]},"when":{"always":true},"stages":["poststop"]}',
  ],
])('reports %s at the mark in %s', (code, marked) => {
  const column = marked.indexOf('^') + 1;
  expect(places(marked.replace('^', ''))[0]).toBe(`${code} /d/a.json:1:${column}`);
});

it('finds no pattern in a file without one', () => {
  expect(patternsOf(hookFile(version1({ always: true })))).toEqual([]);
});

it('reads keys by simple folding, as Go does', () => {
  const { hook, stages } = hookFile(
    '{"hoo\u{212A}":"/a","\u{17F}tages":["poststop"],"CMDS":["x"]}',
  );
  expect([hook.path, stages]).toEqual(['/a', ['poststop']]);
});
