import { describe, expect, it } from 'vitest';

import { handTime } from '../../test/fixtures/processes/hand-time.ts';
import { cleanup, main, planOf, recordsOf } from '../../test/sim/engine/sample.ts';
import { ended, Scene } from '../../test/sim/engine/scene.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { AttemptRequest } from './act.ts';
import { BACKSTOP_GRACE_MS } from './make-attempt.ts';
import { MemoryLedger } from './ledger.ts';
import { runPlan } from './run.ts';

const snapshot = planOf([main('freeze'), main('snapshot'), cleanup('thaw', { undoes: 'freeze' })]);

describe('runPlan', () => {
  it('records a run from its opening to its settlement, and emits each record', async () => {
    const scene = new Scene();
    const result = await scene.run(snapshot);
    expect(scene.recorded()).toEqual([
      'RunOpened',
      'start freeze',
      'Succeeded freeze',
      'start snapshot',
      'Succeeded snapshot',
      'start thaw',
      'Succeeded thaw',
      'settle Succeeded',
    ]);
    expect(scene.events).toEqual(scene.ledger.records);
    expect(result).toMatchObject({ outcome: 'Succeeded', warnings: [] });
    expect(result.steps.map(({ name, attempts }) => `${name} ${attempts}`)).toEqual([
      'freeze 1',
      'snapshot 1',
      'thaw 1',
    ]);
  });

  it('opens a run with the outline of its steps, without their actions', async () => {
    const scene = new Scene();
    await scene.run(snapshot);
    expect(scene.ledger.records[0]).toEqual({
      type: 'RunOpened',
      runId: 'run',
      atMs: scene.startMs,
      title: 'a sample run',
      steps: [
        { kind: 'main', name: 'freeze' },
        { kind: 'main', name: 'snapshot' },
        { kind: 'cleanup', name: 'thaw', undoes: 'freeze' },
      ],
      deadlineAtMs: null,
    });
  });

  it('ENG-E1: starts nothing when the intent cannot be recorded, and rejects', async () => {
    const scene = new Scene();
    scene.ledger.beforeAppend = (record) => {
      if (record.type === 'AttemptStarted') throw new Error('ENOSPC');
    };
    await expect(scene.run(snapshot)).rejects.toThrow('ENOSPC');
    expect(scene.began).toEqual([]);
  });

  it('rejects when an outcome cannot be recorded, and starts nothing more', async () => {
    const scene = new Scene();
    scene.ledger.beforeAppend = (record) => {
      if (record.type === 'AttemptSettled') throw new Error('EIO');
    };
    await expect(scene.run(snapshot)).rejects.toThrow('EIO');
    expect(scene.began).toEqual(['freeze 1']);
  });

  it('ENG-E5: undoes a step with an intent and no outcome, and settles Unknown', async () => {
    const scene = new Scene();
    await scene.record(recordsOf(snapshot, '1 start freeze 1'));
    const result = await scene.run(snapshot);
    expect(scene.began).toEqual(['thaw 1']);
    expect(result.outcome).toBe('Unknown');
    expect(result.steps[0]?.result?.reason).toContain('exited before its end was recorded');
  });

  it('ENG-E11: returns the result of a settled run without running a step', async () => {
    const scene = new Scene();
    const first = await scene.run(snapshot);
    const records = [...scene.ledger.records];
    scene.cancel.abort();
    await expect(scene.run(snapshot)).resolves.toEqual(first);
    expect(scene.ledger.records).toEqual(records);
    expect(scene.began).toHaveLength(3);
  });

  it('ENG-E11: adds nothing to a settled run, whatever else is recorded of it', async () => {
    const scene = new Scene();
    const plan = planOf([main('a', { limit: 3 })]);
    const settled = '1 start a 1; 2 Failed a 1; 3 start a 2; 4 settle Failed; 5 Succeeded a 2';
    await scene.record(recordsOf(plan, settled));
    const result = await scene.run(plan);
    expect(scene.ledger.records).toHaveLength(6);
    expect(result).toMatchObject({ outcome: 'Failed', reason: 'As told.' });
    expect(result.steps).toMatchObject([{ attempts: 2, result: { outcome: 'Failed' } }]);
  });

  it('refuses to resume a run with other steps', async () => {
    const scene = new Scene();
    await scene.record(recordsOf(snapshot, '1 start freeze 1'));
    const given = '[{"kind":"main","name":"freeze"}]';
    const opened = `${given.slice(0, -1)},{"kind":"main","name":"snapshot"},{"kind":"cleanup","name":"thaw","undoes":"freeze"}]`;
    await expect(scene.run(planOf([main('freeze')]))).rejects.toMatchObject({
      problems: [
        {
          code: 'LHE006',
          severity: 'error',
          message: `Run run (a sample run) was opened with the steps ${opened}, and cannot continue with ${given}.`,
          next: 'Continue the run with its recorded steps, or open a new run under another id.',
        },
      ],
    });
    expect(scene.began).toEqual([]);
  });

  it('refuses to resume a run whose first record is no opening', async () => {
    const scene = new Scene();
    await scene.record(recordsOf(snapshot, '1 start freeze 1').slice(1));
    await expect(scene.run(snapshot)).rejects.toThrow(
      'cannot continue: its first record is not its opening',
    );
  });

  it('keeps the deadline that was recorded when the run is resumed with another', async () => {
    const scene = new Scene();
    const plan = planOf([main('a')], scene.startMs - 1);
    await scene.record(recordsOf(plan, ''));
    const result = await scene.run({ ...plan, deadlineAtMs: scene.startMs + 60_000 });
    expect(result.outcome).toBe('TimedOut');
    expect(scene.began).toEqual([]);
  });

  it('waits the pause between two attempts', async () => {
    const scene = new Scene();
    const beganMs: number[] = [];
    scene.act = ({ attempt }) => {
      beganMs.push(scene.world.elapsedMs);
      return Promise.resolve(ended(attempt === 3 ? 'Succeeded' : 'Failed'));
    };
    const result = await scene.run(planOf([main('a', { limit: 2, backoffSeconds: 10 })]));
    expect(beganMs).toEqual([0, 10_000, 30_000]);
    expect(result.steps[0]).toMatchObject({ attempts: 3, result: { outcome: 'Succeeded' } });
  });

  it('ENG-E17: reports ignored failures as warnings', async () => {
    const scene = new Scene();
    scene.act = () => Promise.resolve(ended('Failed'));
    const result = await scene.run(planOf([main('a', { policy: 'Ignore' })]));
    expect(result).toMatchObject({
      outcome: 'Succeeded',
      warnings: ['the failure of a was ignored: attempt 1 ended Failed: it ended Failed'],
    });
  });

  it('needs no listener', async () => {
    const { platform } = handTime();
    const act = (): Promise<AttemptResult> => Promise.resolve(ended('Succeeded'));
    const result = await runPlan({ plan: snapshot, ledger: new MemoryLedger(), act, platform });
    expect(result).toMatchObject({ outcome: 'Succeeded', warnings: [] });
  });

  it('warns of no failure that was not ignored, and of no success', async () => {
    const scene = new Scene();
    scene.act = ({ step }) => Promise.resolve(ended(step === 'b' ? 'Failed' : 'Succeeded'));
    const steps = [main('a', { policy: 'Ignore' }), main('b'), main('c', { policy: 'Ignore' })];
    expect(await scene.run(planOf(steps))).toMatchObject({ outcome: 'Failed', warnings: [] });
  });

  it('ENG-E10: records Unknown for a handler that does not return in time, and ignores its late result', async () => {
    const scene = new Scene();
    scene.act = async ({ step, timeoutMs }) => {
      if (step === 'a') await scene.wait((timeoutMs ?? 0) + BACKSTOP_GRACE_MS + 1);
      else await scene.wait(60_000);
      return ended('Succeeded');
    };
    const result = await scene.run(planOf([main('a', { timeoutSeconds: 5 }), cleanup('z')]));
    expect(result.outcome).toBe('Unknown');
    expect(result.reason).toContain('did not answer within 35 s (its timeout was 5 s)');
    expect(scene.recorded().filter((record) => record.endsWith(' a'))).toEqual([
      'start a',
      'Unknown a',
    ]);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('broken'))],
    [
      'throws',
      (): never => {
        throw new Error('broken');
      },
    ],
  ])('records Unknown for an attempt whose handler %s', async (_how, act) => {
    const scene = new Scene();
    scene.act = act;
    const result = await scene.run(planOf([main('a')]));
    expect(result.outcome).toBe('Unknown');
    expect(result.reason).toContain('its handler threw Error: broken');
  });

  it('ENG-E17: continues without a listener that throws, and warns', async () => {
    const scene = new Scene();
    let reported = 0;
    scene.emit = () => {
      reported += 1;
      throw new Error('EPIPE');
    };
    const result = await scene.run(snapshot);
    expect(reported).toBe(1);
    expect(result.outcome).toBe('Succeeded');
    expect(result.warnings).toEqual([
      'the listener of the run failed and received no more events: Error: EPIPE',
    ]);
  });

  it('emits the live output of an attempt until it has ended', async () => {
    const scene = new Scene();
    let write: AttemptRequest['onOutput'];
    scene.act = ({ step, onOutput }) => {
      if (step === 'b') write?.('stdout', 'too late');
      write = onOutput;
      onOutput?.('stderr', `from ${step}`);
      return Promise.resolve(ended('Succeeded'));
    };
    await scene.run(planOf([main('a'), main('b')]));
    const output = scene.events.filter((event) => event.type === 'Output');
    expect(output.map(({ step, stream, text }) => [step, stream, text])).toEqual([
      ['a', 'stderr', 'from a'],
      ['b', 'stderr', 'from b'],
    ]);
  });
});

it('a ledger in memory has the records of each run apart', async () => {
  const ledger = new MemoryLedger();
  const cancel = { type: 'CancelRequested', atMs: 1, reason: 'why' } as const;
  await ledger.append({ ...cancel, runId: 'one' });
  await ledger.append({ ...cancel, runId: 'two' });
  expect(await ledger.read('two')).toEqual([{ ...cancel, runId: 'two' }]);
});
