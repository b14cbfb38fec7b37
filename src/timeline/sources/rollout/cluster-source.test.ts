import { describe, expect, it } from 'vitest';

import type { WatchEvent } from '../../../kube/client.ts';
import type {
  DeploymentLifecycle,
  HookRun,
  RolloutStatus,
} from '../../../lifecycles/rollout/kinds.ts';
import type { Bar } from '../../bar.ts';
import { BarStore } from '../../bar-store.ts';
import { endedBar, hookRunBars, lifecycleBars } from './cluster-source.ts';
import { ObjectBars } from '../object-bars.ts';

const at = (second: number): string => `2026-11-22T10:00:0${second}.000000Z`;
const ms = (second: number): number => Date.parse(at(second));

const lifecycle = (rollout: Partial<RolloutStatus>): DeploymentLifecycle => ({
  metadata: { namespace: 'shop', name: 'web-hooks', uid: 'u1' },
  spec: { deploymentName: 'web' },
  status: {
    rollout: {
      number: 3,
      phase: 'Pre',
      direction: 'Rollout',
      digest: 'abcdef0123456789',
      template: {},
      startedAt: at(0),
      phaseStartedAt: at(0),
      ...rollout,
    },
  },
});

function follow(): {
  store: BarStore;
  apply: (event: WatchEvent<DeploymentLifecycle>) => void;
  bars: () => Bar[];
} {
  const clock = { nowMs: () => ms(9) };
  const store = new BarStore({ clock });
  const objects = new ObjectBars({ store, clock, barsOf: lifecycleBars, succeeded: endedBar });
  return {
    store,
    apply: (event) => {
      objects.apply(event);
    },
    bars: () => [...store.all()].map(({ bar }) => bar).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

describe('a rollout as spans', () => {
  it('closes each phase where the next begins, and the last with the rollout', () => {
    const { apply, bars } = follow();
    apply({ type: 'Upsert', object: lifecycle({ waitingFor: 'web-pre-1' }) });
    expect(bars()).toMatchObject([
      {
        lane: 'shop/web',
        run: 'rollout 3',
        endMs: null,
        next: 'lifehook rollout status -n shop web',
      },
      { name: 'Pre', endMs: null, reason: 'It waits for web-pre-1.' },
    ]);
    apply({ type: 'Upsert', object: lifecycle({ phase: 'Progressing', phaseStartedAt: at(2) }) });
    const failure = { reason: 'DeadlineExceeded', message: 'It took too long.', at: at(4) };
    apply({ type: 'Upsert', object: lifecycle({ phase: 'Held', phaseStartedAt: at(4), failure }) });
    expect(bars()).toMatchObject([
      {
        outcome: 'Failed',
        endMs: ms(4),
        reason: 'It took too long.',
        next: 'lifehook rollout retry -n shop web',
      },
      { name: 'Pre', startMs: ms(0), endMs: ms(2), outcome: 'Succeeded' },
      { name: 'Progressing', startMs: ms(2), endMs: ms(4), outcome: 'Failed' },
    ]);
    expect(bars()[1]?.reason).toBeUndefined();
  });

  it('is cancelled when a newer rollout replaces it', () => {
    const { apply, bars } = follow();
    apply({ type: 'Upsert', object: lifecycle({ waitingFor: 'web-pre-1' }) });
    const times = { startedAt: at(3), phaseStartedAt: at(3) };
    apply({ type: 'Upsert', object: lifecycle({ number: 4, ...times }) });
    const replaced = {
      endMs: ms(3),
      outcome: 'Cancelled',
      reason: 'It was replaced by rollout 4.',
    };
    expect(bars()).toMatchObject([
      { run: 'rollout 3', name: 'rollout 3', ...replaced },
      { run: 'rollout 3', name: 'Pre', ...replaced },
      { run: 'rollout 4', name: 'rollout 4', endMs: null },
      { run: 'rollout 4', name: 'Pre', endMs: null },
    ]);
    expect(bars()[0]?.next).toBeUndefined();
  });

  it('has its recorded outcome when it ended, and a newer rollout began, between two lists', () => {
    const { apply, bars } = follow();
    apply({ type: 'Upsert', object: lifecycle({}) });
    apply({ type: 'Relisting' });
    const phases = [
      { phase: 'Pre', startedAt: at(0) },
      { phase: 'Progressing', startedAt: at(2) },
      { phase: 'Done', startedAt: at(5) },
    ] as const;
    const { status, ...object } = lifecycle({ number: 5, startedAt: at(7), phaseStartedAt: at(7) });
    const ended = {
      number: 3,
      direction: 'Rollout',
      digest: 'a',
      startedAt: at(0),
      phases,
    } as const;
    const history = [{ ...ended, phases: [...phases], finishedAt: at(5) }];
    apply({ type: 'Upsert', object: { ...object, status: { ...status, history } } });
    expect(bars()).toMatchObject([
      {
        run: 'rollout 3',
        name: 'rollout 3',
        endMs: ms(5),
        outcome: 'Succeeded',
        evidence: { phase: 'Done' },
      },
      { run: 'rollout 3', name: 'Pre', endMs: ms(2), outcome: 'Succeeded' },
      { run: 'rollout 5', name: 'rollout 5', endMs: null },
      { run: 'rollout 5', name: 'Pre', endMs: null },
    ]);
  });

  it('has the outcome Unknown when its object was deleted, also between two lists', () => {
    const { apply, bars } = follow();
    apply({ type: 'Upsert', object: lifecycle({}) });
    apply({ type: 'Relisting' });
    apply({ type: 'Synced', resourceVersion: '7' });
    expect(bars().map(({ outcome, endMs }) => [outcome, endMs])).toEqual([
      ['Unknown', ms(9)],
      ['Unknown', ms(9)],
    ]);
  });

  it('stays unchanged when a relist contains it again', () => {
    const { apply, store } = follow();
    apply({ type: 'Upsert', object: lifecycle({}) });
    const { seq } = store;
    apply({ type: 'Relisting' });
    apply({ type: 'Upsert', object: lifecycle({}) });
    apply({ type: 'Synced', resourceVersion: '7' });
    expect(store.seq).toBe(seq);
  });
});

describe('a HookRun as spans', () => {
  const run = (status: HookRun['status']): HookRun => ({
    metadata: { namespace: 'shop', name: 'web-3-pre', uid: 'h1' },
    spec: {
      deploymentName: 'web',
      deploymentUID: 'd',
      lifecycleName: 'web-hooks',
      rollout: 3,
      stage: 'pre',
      direction: 'Rollout',
      digest: 'x',
      hook: { failurePolicy: 'Abort', execNewPod: { containerName: 'web' } },
      deadlineSeconds: 60,
    },
    ...(status === undefined ? {} : { status }),
  });

  it('has a span for each attempt, with the last lines of its pod log', () => {
    const attempt = { podName: 'web-pre-1', startedAt: at(1), fencingToken: 3_000_001 };
    const bars = hookRunBars(
      run({
        phase: 'Running',
        startedAt: at(0),
        attemptCount: 2,
        attempts: [
          {
            ...attempt,
            number: 1,
            finishedAt: at(2),
            outcome: 'TimedOut',
            exitCode: 137,
            reason: 'Error',
            message: 'no answer',
            lastLines: ['one', 'two'],
          },
          { ...attempt, number: 2, startedAt: at(3) },
        ],
      }),
    );
    expect(bars).toMatchObject([
      {
        id: 'rollout/run/h1/1',
        lane: 'shop/web',
        point: 'pre',
        attempt: 1,
        outcome: 'Failed',
        exitCode: 137,
        reason: 'Error: no answer',
        stdout: 'one\ntwo',
        where: 'DeploymentLifecycle shop/web-hooks',
        evidence: { pod: 'web-pre-1', 'failure policy': 'Abort' },
        next: 'lifehook rollout status -n shop web',
      },
      { attempt: 2, startMs: ms(3), endMs: null, outcome: 'Running' },
    ]);
  });

  it("has the scheduler's reason for a pod that cannot be placed", () => {
    const waitsFor = 'Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.';
    const attempt = { number: 1, podName: 'p', startedAt: at(1), fencingToken: 1, waitsFor };
    const status = { startedAt: at(0), attemptCount: 1, attempts: [attempt] };
    expect(hookRunBars(run({ ...status, phase: 'Running' }))).toMatchObject([
      { outcome: 'Running', endMs: null, reason: `It waits: ${waitsFor}` },
    ]);
  });

  it('has a span with the reason when it failed without an attempt', () => {
    const status = { startedAt: at(0), finishedAt: at(1), attemptCount: 0, attempts: [] };
    const failed = run({ ...status, phase: 'Failed', reason: 'ContainerNotFound' });
    expect(hookRunBars(failed)).toMatchObject([
      { attempt: null, outcome: 'Failed', reason: 'ContainerNotFound', endMs: ms(1) },
    ]);
    expect(hookRunBars(run({ ...status, phase: 'Running' }))).toEqual([]);
    expect(hookRunBars(run(undefined))).toEqual([]);
  });
});
