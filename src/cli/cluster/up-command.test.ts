import { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import { addUp, choiceText } from './up-command.ts';

/** The feature gates of a command line, or the error of the option. */
function gatesOf(list: string): unknown {
  const program = new Command().exitOverride().configureOutput({ outputError: () => undefined });
  addUp(program, () => undefined);
  const [up] = program.commands;
  up?.exitOverride().action(() => undefined);
  program.parse(['up', '--apiserver-feature-gates', list], { from: 'user' });
  return up?.opts()['apiserverFeatureGates'];
}

describe('the feature gates of `lifehook up`', () => {
  it('are NAME=true or NAME=false', () => {
    expect(gatesOf('PodLifecycleSleepAction=false')).toMatchObject({
      PodLifecycleSleepAction: false,
    });
  });

  it.each(['=false=true', '', '=', '=yes'])('are refused with the value "%s"', (value) => {
    expect(() => gatesOf(`PodLifecycleSleepAction${value}`)).toThrow(/must be true or false/);
  });
});

it('quotes the state directory of a command to copy only if the shell needs it', () => {
  expect(choiceText({ cluster: 'local', stateDir: '/tmp/state' })).toBe(' --state-dir /tmp/state');
  expect(choiceText({ cluster: 'local', stateDir: "/tmp/Ann's state" })).toBe(
    String.raw` --state-dir '/tmp/Ann'\''s state'`,
  );
});
