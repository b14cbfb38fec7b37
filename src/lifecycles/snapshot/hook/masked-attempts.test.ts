/**
 * Secrets of a container are masked in the output of its attempts: the status, the Events and the evidence have none.
 */
import { expect, it } from 'vitest';

import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import { failure } from '../../../../test/sim/controller/sim-api.ts';
import { neverCancelled } from '../../../engine/act.ts';
import type { SessionAction } from '../kinds.ts';
import type { HeldSession } from '../session/session.ts';
import type { Order } from './decide.ts';
import type { AttemptWorld } from './run-attempt.ts';
import { freezeBySession, thawBySession } from './run-session.ts';

it('masks the output of a freeze and of a thaw by commands', async () => {
  const bench = new HookBench();
  bench.secretsOf = () => Promise.resolve(['hunter22']);
  bench.makePod('a');
  for (const command of ['freeze', 'thaw'])
    bench.behaviours.set(command, { exitCode: 0, output: `${command} as hunter22` });
  bench.makeHook('h');
  bench.start();
  await bench.eventually('frozen', bench.isFrozen());
  bench.deleteHook('h');
  const outputs: unknown[] = [];
  bench.api.onCommit(({ object }) => {
    const { containerExecutionHookStatuses: targets = [] } = (object as { status?: object })
      .status as { containerExecutionHookStatuses?: readonly object[] };
    outputs.push(...targets);
  });
  await bench.eventually('free', bench.isFree());
  const text = JSON.stringify([outputs, bench.events(), bench.observed]);
  expect(text).toContain('freeze as ***');
  expect(text).not.toContain('hunter22');
});

it('masks the output of the thaw of a session', async () => {
  const end = { kind: 'thawed', exitCode: 0, reason: 'It has thawed.' } as const;
  const held: Pick<HeldSession, 'thaw'> = {
    thaw: () =>
      Promise.resolve({
        ...end,
        cause: 'word',
        output: 'thaw as hunter22',
        outputBytes: 16,
      } as never),
  };
  const world = {
    namespace: 'ns',
    hookUid: 'u',
    signal: neverCancelled,
    context: {
      platform: {
        clock: { nowMs: () => 0, monotonicMs: () => 0 },
        timers: { after: () => () => undefined },
      },
      thawing: { secretsOf: () => Promise.resolve(['hunter22']) },
    },
    sessions: { held: () => held },
    session: { freeze: ['freeze'], thaw: ['thaw'] } as SessionAction,
    runThaw: () => Promise.reject(new Error('the session thaws')),
  };
  const target = { podName: 'a', podUID: 'p', containerName: 'db' };
  const order = { target, action: 'post', attempt: 1, timeoutMs: 1_000 } as unknown as Order;
  const { result } = await thawBySession(order, world as unknown as AttemptWorld & typeof world);
  expect(result.stdout.text).toBe('thaw as ***');
});

it('keeps a session before the Secrets of its container are known: a thaw may need it meanwhile', async () => {
  const kept: string[] = [];
  const never = new Promise<never>(() => undefined);
  const clock = { nowMs: () => 0, monotonicMs: () => 0 };
  const world = {
    namespace: 'ns',
    hookUid: 'u',
    signal: neverCancelled,
    restUntilExpiryMs: null,
    context: {
      platform: { clock, timers: { after: () => () => undefined } },
      random: () => 0,
      freezing: {
        openExec: () => Promise.reject(failure(403, 'Forbidden', 'no right to exec')),
        secretsOf: () => never,
      },
    },
    sessions: { keep: (id: string) => kept.push(id) },
  } as unknown as AttemptWorld;
  const target = { podName: 'a', podUID: 'p', containerName: 'db' };
  const order = { target, action: 'pre', attempt: 1, timeoutMs: 1_000 } as unknown as Order;
  void freezeBySession(order, world, { freeze: ['freeze'], thaw: ['thaw'] });
  await new Promise(setImmediate);
  expect(kept).toHaveLength(1);
});
