import { afterEach, describe, expect, test } from 'vitest';

import {
  type BuildStand,
  buildStand,
  NO_HOOKS,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import type { PhaseResult } from '../session.ts';
import type { StageHooks } from './model.ts';
import type { HookRunContext } from './run-context.ts';
import { runStage } from './run-stage.ts';

const stands: BuildStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

function stand(context: Partial<HookRunContext> = {}): BuildStand {
  const made = buildStand({ context });
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

/** Interrupts the session as soon as a hook is reported as completed. */
function abortAtEnd(
  interrupt: AbortController,
  emit: HookRunContext['emit'],
): HookRunContext['emit'] {
  return (event) => {
    emit(event);
    if (event.type === 'HostCallbackEvent' && event.status === 'Completed') interrupt.abort();
  };
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

  test('PIPE-P5: runs a hook whose inputs an earlier hook of the same list has changed', async () => {
    const s = stand();
    const policy = { run: 'changed', inputs: ['made'] } as const;
    const before = [
      shell('cp source made', { address: 'make' }),
      shell('cat made', { address: 'use', policy }),
    ];
    for (const content of ['one', 'one', 'two']) {
      s.write('source', content);
      await run(s, { before });
    }
    expect(s.lines()).toEqual(['use: one', 'use: two']);
  });

  test.each([
    ['a signal at the end of its last before hook', [shell('true', { address: 'last' })]],
    ['a signal before it, and no before hook', []],
  ])('PIPE-P3: does not begin its work after %s', async (_, before) => {
    const interrupt = new AbortController();
    const s = stand({ signal: interrupt.signal });
    const { session } = s;
    let works = false;
    const result = await runStage(
      { ...session, hooks: { ...session.hooks, emit: abortAtEnd(interrupt, session.hooks.emit) } },
      {
        hooks: {
          ...NO_HOOKS,
          before,
          finally: [shell('echo last', { address: 'f', when: 'finally' })],
        },
        facts: (value) => {
          if (value === null && before.length === 0) interrupt.abort();
          return { phase: { kind: 'other' } };
        },
        work: async () => {
          works = true;
          return { outcome: 'Succeeded', value: 'done' };
        },
      },
    );
    expect(works).toBe(false);
    expect(result).toMatchObject({ outcome: 'Cancelled', exitCode: 130 });
    expect(s.lines()).toEqual(['f: last']);
  });

  test('PIPE-P7: runs onError and finally hooks when its work rejects, and then rejects with the same error', async () => {
    const s = stand();
    const hooks = {
      onError: [shell('echo error', { address: 'e', when: 'onError' })],
      finally: [shell('echo last; exit 4', { address: 'f', when: 'finally' })],
    } as const;
    const stage = {
      hooks: { ...NO_HOOKS, ...hooks },
      facts: () => ({ phase: { kind: 'other' } }) as const,
      work: () => Promise.reject(new Error('no such builder')),
    };
    await expect(runStage(s.session, stage)).rejects.toThrow('no such builder');
    expect(s.lines()).toEqual(['e: error', 'f: last']);
  });

  test('PIPE-P7: runs onError and finally hooks also after a cancellation', async () => {
    const interrupt = new AbortController();
    interrupt.abort();
    const s = stand({ signal: interrupt.signal });
    const hooks = {
      before: [shell('echo before')],
      onError: [shell('echo error', { address: 'e', when: 'onError' })],
      finally: [shell('echo last', { address: 'f', when: 'finally' })],
    } as const;
    expect(await run(s, hooks)).toMatchObject({ outcome: 'Cancelled', exitCode: 130 });
    expect(s.lines()).toEqual(['e: error', 'f: last']);
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
