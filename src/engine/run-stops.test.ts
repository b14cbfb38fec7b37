import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';

import { cleanup, main, planOf, recordsOf } from '../../test/sim/engine/sample.ts';
import { ended, Scene } from '../../test/sim/engine/scene.ts';
import type { AttemptResult } from '../model/attempt.ts';
import { type Act, bareResult } from './act.ts';
import { BACKSTOP_GRACE_MS } from './make-attempt.ts';

/** A handler that runs until it is cancelled, as the real handlers do. */
const untilCancelled: Act = ({ signal }) =>
  new Promise<AttemptResult>((resolve) => {
    signal.addEventListener('abort', () => {
      resolve(ended('Cancelled'));
    });
  });

const quick: Act = () => Promise.resolve(ended('Succeeded'));

describe('runPlan, cancelled', () => {
  it('ENG-E7, ENG-E8: cancels the main attempt, records the reason, starts no other and cleans up', async () => {
    const scene = new Scene();
    scene.act = (request) => (request.step === 'a' ? untilCancelled : quick)(request);
    scene.world.after(5_000, () => {
      scene.cancel.abort();
    });
    const result = await scene.run(planOf([main('a'), main('b'), cleanup('z')]));
    expect(scene.recorded()).toEqual([
      'RunOpened',
      'start a',
      'CancelRequested',
      'Cancelled a',
      'start z',
      'Succeeded z',
      'settle Cancelled',
    ]);
    expect(result.reason).toContain('The run was cancelled: the caller requested it');
  });

  it('ENG-E9: does not cancel a cleanup attempt, nor shorten its pause', async () => {
    const scene = new Scene();
    const beganMs: number[] = [];
    scene.act = async ({ signal, attempt }) => {
      beganMs.push(scene.world.elapsedMs);
      signal.addEventListener('abort', () => {
        throw new Error('cancellation reached a cleanup step');
      });
      await scene.wait(1_000);
      return ended(attempt === 1 ? 'Failed' : 'Succeeded');
    };
    scene.world.after(500, () => {
      scene.cancel.abort();
    });
    const result = await scene.run(planOf([cleanup('z', { limit: 1, backoffSeconds: 60 })]));
    expect(beganMs).toEqual([0, 61_000]);
    expect(result.outcome).toBe('Succeeded');
  });

  it('ENG-E7, ENG-E18: cuts a pause between two attempts of a main step short', async () => {
    const scene = new Scene();
    scene.act = () => Promise.resolve(ended('Failed'));
    scene.world.after(5_000, () => {
      scene.cancel.abort();
    });
    const result = await scene.run(planOf([main('a', { limit: 1, backoffSeconds: 60 })]));
    expect(result.outcome).toBe('Cancelled');
    expect(scene.world.elapsedMs).toBe(5_000);
  });

  it('ENG-E7: does not start an attempt that was cancelled while its intent was recorded', async () => {
    const scene = new Scene();
    scene.ledger.beforeAppend = ({ type }) => {
      if (type === 'AttemptStarted') scene.cancel.abort();
    };
    const result = await scene.run(planOf([main('a')]));
    expect(scene.began).toEqual([]);
    expect(result.outcome).toBe('Cancelled');
    expect(result.steps[0]?.result).toEqual(
      bareResult('Cancelled', 'the run was cancelled before this attempt began', 0),
    );
  });

  it('starts nothing when it was cancelled before its start', async () => {
    const scene = new Scene();
    scene.cancel.abort();
    const result = await scene.run(planOf([main('a')]));
    expect(scene.recorded()).toEqual(['RunOpened', 'CancelRequested', 'settle Cancelled']);
    expect(result.outcome).toBe('Cancelled');
  });

  it('records a cancellation once, also when the run is resumed', async () => {
    const scene = new Scene();
    const plan = planOf([main('a')]);
    await scene.record(recordsOf(plan, '1 cancel'));
    scene.cancel.abort();
    await scene.run(plan);
    expect(scene.recorded()).toEqual(['RunOpened', 'CancelRequested', 'settle Cancelled']);
  });

  it('leaves no listener on the signal of its caller', async () => {
    const scene = new Scene();
    const caller = new AbortController();
    const running = scene.run(planOf([main('a'), cleanup('z')]), caller.signal);
    await running;
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });

  it('hears the cancellation of a signal that is not our own', async () => {
    const scene = new Scene();
    const caller = new AbortController();
    scene.act = () => new Promise(() => {});
    scene.world.after(5_000, () => {
      caller.abort();
    });
    const result = await scene.run(planOf([main('a')]), caller.signal);
    expect(result.reason).toContain('its handler did not answer within 30 s of the cancellation');
    expect(scene.recorded()).toContain('CancelRequested');
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });

  it('records Unknown for a handler that does not return after the cancellation', async () => {
    const scene = new Scene();
    scene.act = () => new Promise(() => {});
    scene.world.after(5_000, () => {
      scene.cancel.abort();
    });
    const result = await scene.run(planOf([main('a')]));
    expect(result.outcome).toBe('Unknown');
    expect(scene.world.elapsedMs).toBe(5_000 + BACKSTOP_GRACE_MS);
    const reason = 'its handler did not answer within 30 s of the cancellation';
    expect(result.steps[0]?.result).toEqual(
      bareResult('Unknown', reason, 5_000 + BACKSTOP_GRACE_MS),
    );
  });

  it('rejects when the cancellation cannot be recorded', async () => {
    const scene = new Scene();
    scene.act = untilCancelled;
    scene.ledger.beforeAppend = ({ type }) => {
      if (type === 'CancelRequested') throw new Error('ENOSPC');
    };
    scene.world.after(5_000, () => {
      scene.cancel.abort();
    });
    await expect(scene.run(planOf([main('a')]))).rejects.toThrow('ENOSPC');
  });
});

describe('runPlan, at its deadline', () => {
  it('ENG-E7, ENG-E13: limits the main attempt, starts no other and gives cleanup its own timeout', async () => {
    const scene = new Scene();
    const timeouts: (number | null)[] = [];
    scene.act = async ({ step, timeoutMs }) => {
      timeouts.push(timeoutMs);
      if (step === 'z') return ended('Succeeded');
      await scene.wait(timeoutMs ?? 0);
      return ended('TimedOut');
    };
    const steps = [main('a'), main('b'), cleanup('z', { timeoutSeconds: 30 })];
    const result = await scene.run(planOf(steps, scene.startMs + 5_000));
    expect(timeouts).toEqual([5_000, 30_000]);
    expect(result.outcome).toBe('TimedOut');
  });

  it('ENG-E7: does not start an attempt whose time ran out while its intent was recorded', async () => {
    const scene = new Scene();
    scene.ledger.beforeAppend = async ({ type }) => {
      if (type === 'AttemptStarted') await scene.wait(5_000);
    };
    const result = await scene.run(planOf([main('a')], scene.startMs + 5_000));
    expect(scene.began).toEqual([]);
    expect(result.outcome).toBe('TimedOut');
    expect(result.steps[0]?.result).toEqual(
      bareResult('TimedOut', "the run's deadline passed before this attempt began", 0),
    );
  });
});
