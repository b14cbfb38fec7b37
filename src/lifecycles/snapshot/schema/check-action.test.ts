import { describe, expect, it } from 'vitest';

import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { HookActions } from '../kinds.ts';
import { validateHook } from './validate.ts';

const NAMELESS = ['', 'an argument'];
const COMMAND = ['true'];
const plain = (command: readonly string[]): { exec: { command: string[] } } => ({
  exec: { command: [...command] },
});

const cases: readonly [string, HookActions][] = [
  ['preAction.exec.command', { preAction: plain(NAMELESS) }],
  ['preAction.action.exec.command', { preAction: { action: plain(NAMELESS) } }],
  ['postAction.exec.command', { preAction: plain(COMMAND), postAction: plain(NAMELESS) }],
  ['probe.exec.command', { preAction: plain(COMMAND), probe: plain(NAMELESS) }],
  ['preAction.session.freeze', { preAction: { session: { freeze: NAMELESS, thaw: COMMAND } } }],
  ['preAction.session.thaw', { preAction: { session: { freeze: COMMAND, thaw: NAMELESS } } }],
  [
    'preAction.session.client',
    { preAction: { session: { client: NAMELESS, freeze: ['f'], thaw: ['t'], ready: 'r' } } },
  ],
];

describe('a command with an empty program', () => {
  it.each(cases)('is refused at %s, at admission', (field, actions) => {
    const spec = { podSelector: {}, ...actions };
    const object = JSON.parse(JSON.stringify({ spec })) as JsonObject;
    const { errors } = validateHook({ object, resolveRecipe: () => undefined });
    expect(errors.map(fieldProblemMessage)).toEqual([
      `spec.${field}: Required value: name the program, then each argument as a separate string`,
    ]);
  });

  it.each(cases)('fails the hook at %s, and runs no command', async (field, actions) => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makeHook('h', { preAction: {}, ...actions });
    bench.start();
    await bench.eventually('failed', bench.hasFailed());
    const failed = bench.hook('h')?.status?.conditions?.find(({ type }) => type === 'Failed');
    expect(failed).toMatchObject({ reason: 'Invalid' });
    expect(failed?.message).toContain(`${field}: Required value: name the program`);
    expect(bench.ran).toEqual([]);
  });
});

it.each(['a\u{1}', '10 €'])('names the characters that a header value may have: %j', (value) => {
  const httpGet = { port: 80, httpHeaders: [{ name: 'X-Token', value }] };
  const object = { spec: { podSelector: {}, preAction: { httpGet } } };
  const { errors } = validateHook({ object, resolveRecipe: () => undefined });
  expect(errors.map(fieldProblemMessage)).toEqual([
    expect.stringContaining(
      'must have no control characters, and only characters up to U+00FF',
    ) as string,
  ]);
});
