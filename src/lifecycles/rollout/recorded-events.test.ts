import { expect, it } from 'vitest';

import { fullHookRun, fullHookRunStatus } from '../../../test/fixtures/rollout/full-lifecycle.ts';
import { facts } from '../../../test/fixtures/rollout/machine-cases.ts';
import { ActingStand } from '../../../test/fixtures/rollout/acting-stand.ts';
import type { Notification } from '../../model/event.ts';
import type { HookRun, HookRunPhase, Phase, RolloutStatus } from './kinds.ts';
import { recordedEvents } from './recorded-events.ts';
import { rolloutEnvelope } from './rollout-event.ts';

const held: Partial<RolloutStatus> = {
  phase: 'Held',
  phaseStartedAt: '2026-01-01T00:00:00.000000Z',
  failure: { reason: 'PreHookFailed', message: 'exit code 1', at: '2026-01-01T00:00:00Z' },
};

function ofPhase(phase: Phase, rollout: Partial<RolloutStatus> = {}): Notification[] {
  const { lifecycle } = facts({ phase, rollout });
  const events = recordedEvents({ lifecycles: [lifecycle], runs: [], sinceMs: 0 });
  return events.flatMap(({ notification }) => notification ?? []);
}

function runOf(phase: HookRunPhase, more: object = {}): HookRun {
  const status = { ...fullHookRunStatus, phase, message: 'exit code 1', ...more };
  return { ...fullHookRun, metadata: { namespace: 'shop', name: 'r', uid: 'run-uid' }, status };
}

function ofRuns(runs: readonly HookRun[], sinceMs = 0): Notification[] {
  const events = recordedEvents({ lifecycles: [], runs, sinceMs });
  return events.flatMap(({ notification }) => notification ?? []);
}

it('a held rollout is a problem that names its cause and the next step', () => {
  expect(ofPhase('Held', held)).toEqual([
    {
      id: 'uid-lifecycle/5/held/2026-01-01T00:00:00.000000Z',
      type: 'rollout.held',
      state: 'open',
      problem: 'held/shop/web',
      message:
        'Rollout 5 of Deployment shop/web is held: exit code 1. Apply another template, or run `lifehook rollout retry web -n shop`.',
    },
  ]);
});

it('every other phase clears the problem', () => {
  expect(ofPhase('Pre')).toMatchObject([
    { id: null, type: 'rollout.resumed', state: 'clear', problem: 'held/shop/web' },
  ]);
});

it('the notification is the same live and after a restart (ENG-N1)', async () => {
  const sample = facts({ phase: 'Restoring', rollout: held });
  const stand = new ActingStand(sample);
  const rollout = { ...sample.lifecycle.status?.rollout, ...held } as RolloutStatus;
  await stand.carryOut({
    kind: 'record',
    reason: '',
    status: { rollout },
    emits: { observed: [{ type: 'PhaseEntered', number: 5, phase: 'Held' }] },
  });
  const live = stand.observed.map((event) => rolloutEnvelope(event, 0).notification);
  expect(live).toEqual(ofPhase('Held', held));
});

it.each<[HookRunPhase, string[]]>([
  ['Failed', ['run.failed']],
  ['Unknown', ['run.failed']],
  ['Succeeded', ['run.recovered']],
  ['Ignored', []],
  ['Aborted', []],
  ['Running', []],
])('a hook that is %s is reported as %j', (phase, types) => {
  expect(ofRuns([runOf(phase)]).map(({ type }) => type)).toEqual(types);
});

it('hooks are reported in the order of their ends, and old ones not', () => {
  const early = runOf('Failed', { finishedAt: '2026-01-01T00:00:01Z' });
  const late = runOf('Succeeded', { finishedAt: '2026-01-01T00:00:02Z' });
  const reported = ofRuns([late, early]);
  expect(reported.map(({ state }) => state)).toEqual(['open', 'clear']);
  expect(new Set(reported.map(({ problem }) => problem)).size).toBe(1);
  expect(reported[0]?.message).toMatch(
    /^The \w+ hook of rollout \d+ of Deployment shop\/\w+ failed: exit code 1$/u,
  );
  expect(ofRuns([late, early], Date.parse('2026-01-01T00:00:02Z')).length).toBe(1);
});
