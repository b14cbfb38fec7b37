import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';

import { sampleBar, snapshotBar } from '../../../test/fixtures/timeline/sample-bar.ts';
import { commandsOf, nextStepOf } from './commands.ts';

test.each([
  [undefined, null, null],
  ['lifehook rollout retry -n shop web', null, 'lifehook rollout retry -n shop web'],
  ['kubectl describe pod -n shop web-0', null, 'kubectl describe pod -n shop web-0'],
  [
    'thaw db-0/postgres by hand, then: lifehook snapshot release -n shop nightly-0 --by YOU',
    'thaw db-0/postgres by hand, then',
    'lifehook snapshot release -n shop nightly-0 --by YOU',
  ],
  ['ask the owner of lifehook first', 'ask the owner of lifehook first', null],
])('the command of the advice %j is separate from its note', (next, note, command) => {
  expect(nextStepOf(next)).toEqual({ note, command });
});

describe('commandsOf', () => {
  const whole = {
    lifecycle: 'rollout',
    kind: 'phase',
    run: 'rollout 3',
    name: 'rollout 3',
  } as const;
  const held = sampleBar('held', { ...whole, outcome: 'Failed' });
  const running = sampleBar('running', { ...whole, endMs: null, outcome: 'Running' });
  const open = { kind: 'frozen', endMs: null, where: 'ExecutionHook shop/nightly-0' } as const;
  const frozen = snapshotBar('frozen', open);
  const overdue = snapshotBar('overdue', { ...open, evidence: { thaw: 'overdue' } });
  const hook = sampleBar('hook', { lifecycle: 'pipeline', run: 'build 41fb8cb0' });
  const all = [held, running, frozen, overdue, hook];
  const lines = (bar: typeof held): string[] => commandsOf(bar).map(({ command }) => command);

  it('retries a rollout that was held, and aborts one that is running', () => {
    const show = `lifehook runs show --lifecycle rollout -n shop 'shop/web rollout 3'`;
    expect(lines(held)).toEqual(['lifehook rollout retry -n shop web', show]);
    expect(lines(running)).toEqual(['lifehook rollout abort -n shop web', show]);
    expect(lines({ ...held, next: 'lifehook rollout retry -n shop web' })).toEqual([show]);
  });

  it('thaws what is frozen, and releases only a thaw that failed', () => {
    const thaw = 'lifehook snapshot thaw -n shop nightly-0';
    const show = 'lifehook runs show --lifecycle snapshot -n shop nightly';
    expect(lines(frozen)).toEqual([thaw, show]);
    expect(lines(overdue)).toEqual([
      thaw,
      'lifehook snapshot release -n shop nightly-0 --by YOU',
      show,
    ]);
    expect(lines({ ...frozen, endMs: 9 })).toEqual([show]);
  });

  it('quotes a name from a record, and leaves out one that would be an option', () => {
    expect(lines({ ...hook, run: `x'; rm -rf ~ #` })).toEqual([
      String.raw`lifehook runs show --lifecycle pipeline 'x'\''; rm -rf ~ #'`,
    ]);
    expect(lines({ ...hook, run: '--kubeconfig=/tmp/x' })).toEqual([]);
    expect(lines({ ...hook, run: '' })).toEqual([]);
  });

  it.each(['x; reboot', '$(reboot)', 'x|sh', '`reboot`', "x'", 'a\\b', 'x>y'])(
    'takes advice with %j for a note, not for a command',
    (run) => {
      const next = `lifehook pipeline rerun ${run}`;
      expect(nextStepOf(next)).toEqual({ note: next, command: null });
    },
  );

  it.each([
    ['ends a bracketed paste', 'x\u001B[201~\nreboot\n'],
    ['interrupts the shell', 'x\u0003reboot'],
    ['shows itself in another order', 'x\u202Etoober'],
  ])('offers no command with a name that %s', (_does, run) => {
    expect(lines({ ...hook, run })).toEqual([]);
    const next = `lifehook pipeline rerun ${run}`;
    expect(nextStepOf(next)).toEqual({ note: next, command: null });
  });

  it('uses only commands and options that the reference lists', () => {
    const reference = readFileSync(
      new URL('../../../docs/reference/cli.md', import.meta.url),
      'utf8',
    );
    const sections = new Map(
      reference.split(/^##+ /m).map((text) => [text.split('\n', 1)[0] ?? '', text]),
    );
    for (const line of all.flatMap(lines)) {
      const [name = ''] = /^lifehook \w+ \w+/.exec(line) ?? [];
      const section = sections.get(name);
      expect(section, line).toBeDefined();
      for (const option of line.match(/ --?\w+/g) ?? []) {
        expect(section, line).toMatch(new RegExp(`\`(-\\w, )?${option.trim()}[ ,\`]`));
      }
    }
  });
});
