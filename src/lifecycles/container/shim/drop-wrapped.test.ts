import { expect, it } from 'vitest';

import { encodeUtf8 } from '../../../platform/byte-text.ts';
import { readConfig } from '../config/config-text.ts';
import { dropWrapped } from './inject-matching.ts';
import { wrapHooks, type WrappedHook } from './hook-command.ts';

const runner = '/usr/lib/lifehook-hook';
const wrapped: WrappedHook = {
  command: {
    stage: 'createRuntime',
    file: '10-a.json',
    index: 0,
    onFailure: 'fail',
    retries: 0,
    timeoutSeconds: null,
    spool: '/spool',
    path: '/bin/a',
    argv: ['a'],
  },
  env: ['A=ü'],
};
const ours = JSON.stringify(wrapHooks(runner, [wrapped]));

function dropped(text: string): string {
  const bytes = encodeUtf8(text);
  const reading = readConfig(bytes);
  if (reading.kind === 'refused') throw new Error(reading.problem.message);
  return dropWrapped(bytes, reading.config, runner);
}

it.each([
  ['the only entry', `{"hooks":{"createRuntime":[${ours}]}}`, '{"hooks":{"createRuntime":[]}}'],
  [
    'the entries of each stage, between others',
    `{ "hooks" : {"poststop": [ ${ours} ],"createRuntime":[{"path":"/b", "x":18446744073709551615},\n${ours},{"path":"é"}]},"a":1}`,
    '{ "hooks" : {"poststop": [],"createRuntime":[{"path":"/b", "x":18446744073709551615},{"path":"é"}]},"a":1}',
  ],
])('dropWrapped removes %s', (_, text, expected) => {
  expect(dropped(text)).toBe(encodeUtf8(expected));
});

it.each([
  ['no hooks', `{"process":{"args":["${runner}"]}}`],
  ['hooks that are null', `{"hooks":null,"a":"${runner}"}`],
  [
    'an entry for the runner that we did not write',
    `{"hooks":{"poststop":[{"path":"${runner}"}]}}`,
  ],
  ['a stage that is named twice', `{"hooks":{"poststop":[${ours}],"Poststop":[]}}`],
])('dropWrapped changes nothing of a text with %s', (_, text) => {
  expect(dropped(text)).toBe(text.replace('ü', encodeUtf8('ü')));
});
