import { expect, test } from 'vitest';

import {
  compile,
  container,
  hookFile,
  version1,
} from '../../../../test/fixtures/hooksd/hook-files.ts';
import { explainHooks } from './explain.ts';
import { literalFirst } from './literal-first.ts';
import { resolveScans } from './resolve.ts';

const good = (folder: string, name: string, when: object): object => ({
  kind: 'good',
  folder,
  name,
  file: { ...hookFile(version1(when, { stages: ['prestart', 'poststop'] }), name), folder },
});

test('explainHooks lists every file with its mask, each condition tried and the stages it is injected into', () => {
  const vendor = [
    good('/v', 'a.json', {}),
    good('/v', 'b.json', { commands: ['bash'], always: true }),
  ];
  const admin = [
    good('/e', 'a.json', { commands: ['sh$'] }),
    { kind: 'disabled', folder: '/e', name: 'c.json' },
  ];
  const scan = (
    folder: string,
    findings: object[],
  ): Parameters<typeof resolveScans>[0][number] => ({
    folder,
    state: 'read',
    findings: findings as Parameters<typeof resolveScans>[0][number]['findings'],
    problems: [],
  });
  const set = resolveScans([scan('/v', vendor), scan('/e', admin)], new Map());
  const { files, selection } = explainHooks(set, container(), {
    matcherOf: literalFirst(compile),
    prestart: 'createRuntime',
  });
  expect(files).toMatchObject([
    {
      path: '/e/a.json',
      state: 'active',
      schema: '1.0.0',
      verdict: { kind: 'match', reason: 'every condition holds' },
      conditions: [
        { name: 'commands', holds: true, trials: [{ pattern: 'sh$', value: '/bin/sh' }] },
      ],
      into: ['createRuntime', 'poststop'],
    },
    { path: '/v/a.json', state: 'masked', maskedBy: '/e/a.json', conditions: [], into: [] },
    {
      path: '/v/b.json',
      state: 'active',
      verdict: { kind: 'noMatch', reason: 'no command pattern matches "/bin/sh"' },
      conditions: [
        { name: 'always', holds: true },
        { name: 'commands', holds: false },
      ],
      into: [],
    },
    { path: '/e/c.json', state: 'disabled' },
  ]);
  expect(files[1]).not.toHaveProperty('verdict');
  expect(selection.stages.createRuntime.map(({ file }) => file.name)).toEqual(['a.json']);
});
