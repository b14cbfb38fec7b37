import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ContainerFacts, HookFile, When } from '../hooksd/hook-file.ts';
import { literalFirst } from '../hooksd/literal-first.ts';
import { matchHookFile } from '../hooksd/match.ts';
import { re2Compiler } from '../../../model/re2.ts';
import { requiredTexts } from './build-index.ts';

const fileWith = (when: When): HookFile => ({
  name: '10-test.json',
  folder: '/hooks.d',
  schema: when.combine === 'all' ? '1.0.0' : '0.1.0',
  hook: { path: '/bin/true' },
  when,
  stages: ['createRuntime'],
  positions: {},
});

const all = (when: Omit<When, 'combine'>): HookFile => fileWith({ combine: 'all', ...when });
const any = (when: Omit<When, 'combine'>): HookFile => fileWith({ combine: 'any', ...when });

describe('requiredTexts', () => {
  it.each([
    ['one command', all({ commands: ['^/usr/bin/nginx$'] }), [['/usr/bin/nginx']]],
    ['each of several commands', all({ commands: ['/nginx$', '^sh$'] }), [['/nginx', 'sh']]],
    [
      'value and key of a pair',
      all({ annotations: [{ key: '^team$', value: 'b' }] }),
      [['b'], ['team']],
    ],
    [
      'the texts of every condition',
      all({ annotations: [{ key: 'k', value: 'v' }], commands: ['init$'] }),
      [['v'], ['init'], ['k']],
    ],
    [
      'only the value where the key has no text',
      all({ annotations: [{ key: '.', value: '^on$' }] }),
      [['on']],
    ],
    ['the text inside a pattern', all({ commands: ['^/opt/app-[0-9]+$'] }), [['/opt/app-']]],
    ['nothing for a pattern without text', all({ commands: ['[a-z]+'] }), []],
    ['nothing when one of several patterns has no text', all({ commands: ['^/bin/sh$', '.'] }), []],
    ['nothing for bind mounts alone', all({ hasBindMounts: true }), []],
    ['nothing for always', all({ always: true }), []],
    ['the text of a command next to always', all({ always: true, commands: ['^sh$'] }), [['sh']]],
    [
      'all texts of OR conditions',
      any({ commands: ['sh$'], annotationValues: ['on'] }),
      [['on', 'sh']],
    ],
    [
      'nothing when OR conditions include bind mounts',
      any({ commands: ['sh$'], hasBindMounts: true }),
      [],
    ],
    ['nothing for the empty list of values', any({ annotationValues: [] }), []],
    ['the ASCII part of a text', all({ commands: ['^/opt/größe$'] }), [['/opt/gr']]],
  ])('gives %s', (_name, file, texts) => {
    expect(requiredTexts(file)).toEqual(texts);
  });

  it('never rules out a file that matches', () => {
    const word = fc.constantFrom('sh', '/bin/sh', 'team', 'blue', 'größe', 'a\nb', '', 'x.y');
    const pattern = fc.oneof(
      word,
      word.map((text) => `^${text}$`),
      word.map((text) => `(?i)${text}`),
      fc.tuple(word, word).map(([left, right]) => `${left}|${right}`),
      fc.tuple(word, word).map(([left, right]) => `${left}.*(${right})?`),
      fc.constantFrom('[a-z]+', '.', 's?h', '\\Qsh\\E', '(sh)+', 'b{0,1}lue', '^\\/bin\\/[sz]h$'),
    );
    const patterns = fc.array(pattern, { maxLength: 3 });
    const when = fc.record(
      {
        combine: fc.constantFrom('all' as const, 'any' as const),
        always: fc.boolean(),
        hasBindMounts: fc.boolean(),
        annotations: fc.array(fc.record({ key: pattern, value: pattern }), { maxLength: 2 }),
        annotationValues: patterns,
        commands: patterns,
      },
      { requiredKeys: ['combine'] },
    );
    const facts = fc.record({
      annotations: fc.dictionary(word, word, { maxKeys: 3 }),
      args: fc.array(word, { minLength: 1, maxLength: 2 }),
      hasBindMounts: fc.boolean(),
    });
    const matcherOf = literalFirst(re2Compiler());
    fc.assert(
      fc.property(when, facts, (conditions, container: ContainerFacts) => {
        const file = fileWith(conditions);
        if (matchHookFile(file, container, { matcherOf }).kind !== 'match') return;
        const searched = [
          ...Object.entries(container.annotations).flat(),
          container.args?.[0] ?? '',
        ];
        const found = requiredTexts(file).every((texts) =>
          texts.some((text) => searched.some((value) => value.includes(text))),
        );
        expect(found).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});
