import { afterEach, describe, expect, test } from 'vitest';

import {
  type BuildStand,
  buildStand,
  NO_HOOKS,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import type { PhaseResult } from '../session.ts';
import type { StageHooks } from './model.ts';
import { runStage } from './run-stage.ts';

const stands: BuildStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

function stand(): BuildStand {
  const made = buildStand();
  stands.push(made);
  return made;
}

function run(
  { session }: BuildStand,
  hooks: Partial<StageHooks>,
  result: PhaseResult<string> = { outcome: 'Succeeded', value: 'done' },
): ReturnType<typeof runStage<string>> {
  return runStage(session, {
    hooks: { ...NO_HOOKS, ...hooks },
    facts: () => ({ phase: { kind: 'other' } }),
    work: () => Promise.resolve(result),
  });
}

describe('a phase with its hooks', () => {
  test('skips a deploy hook with `run: changed` while its inputs are unchanged', async () => {
    const s = stand();
    const hook = shell('echo ran', {
      phase: 'deploy',
      address: 'deploy/kubectl/before/0',
      policy: { run: 'changed', inputs: ['in'] },
    });
    s.write('in', 'one');
    await run(s, { before: [hook] });
    await run(s, { before: [hook] });
    expect(s.lines()).toHaveLength(1);
    s.write('in', 'two');
    await run(s, { before: [hook] });
    expect(s.lines()).toHaveLength(2);
  });

  test('computes the input digest of a hook after the hooks before it ran', async () => {
    const s = stand();
    const policy = { run: 'changed', inputs: ['in'] } as const;
    const before = shell('echo new > in', { address: 'a' });
    const after = shell('echo after', { address: 'b', when: 'after', policy });
    await run(s, { before: [before], after: [after] });
    await run(s, { after: [after] });
    expect(s.lines()).toEqual(['b: after']);
  });

  test('returns the first failure after running onError and finally hooks', async () => {
    const s = stand();
    const failure = { outcome: 'Failed', exitCode: 7, message: 'no' } as const;
    const hooks = {
      after: [shell('echo after')],
      onError: [shell('echo error; exit 3', { address: 'e', when: 'onError' })],
      finally: [shell('echo last; exit 4', { address: 'f', when: 'finally' })],
    } as const;
    expect(await run(s, hooks, failure)).toEqual(failure);
    expect(s.lines()).toEqual(['e: error', 'f: last']);
    expect(await run(s, { finally: hooks.finally })).toMatchObject({ exitCode: 4 });
  });
});
