/** Tests a restarted node with a run that only the API records. */
import type { Pod, PodStatus } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { NOW_MS } from '../../../test/fixtures/pod-facts.ts';
import { rememberedRun } from './remembered-run.ts';
import type { Run } from './run.ts';

const identity = { podUid: 'u', namespace: 'default', pod: 'pod', container: 'web' };
const newest = (restartCount: number): Run => ({
  identity: { ...identity, restartCount, backoffSeconds: 0 },
  container: null,
  failure: null,
  startedAtMs: NOW_MS,
});

describe('a run that only the API knows of', () => {
  const times = { startedAt: '2026-01-01T00:01:00Z', finishedAt: '2026-01-01T00:02:00Z' };
  const podOf = (state: object, more: object = {}, init = false): Pod => {
    const one = {
      name: 'web',
      restartCount: 2,
      state,
      image: '',
      imageID: '',
      ready: false,
      ...more,
    };
    const status: PodStatus = init
      ? { initContainerStatuses: [one] }
      : { containerStatuses: [one] };
    return { metadata: { uid: 'u', namespace: 'default', name: 'pod' }, status };
  };
  const found = (pod: Pod, known: Run | null = null): Run | null =>
    rememberedRun(pod, 'web', { newest: known, nowMs: NOW_MS });
  const ended = {
    terminated: { exitCode: 127, reason: 'StartError', message: 'no program', ...times },
  };

  test.each([false, true])('has its end, its count and its pause (init container: %s)', (init) => {
    expect(found(podOf(ended, {}, init))).toEqual({
      identity: { ...identity, restartCount: 2, backoffSeconds: 10 },
      container: null,
      failure: {
        exitCode: 127,
        signal: null,
        endedAtMs: Date.parse(times.finishedAt),
        reason: 'StartError',
        message: 'no program',
      },
      startedAtMs: Date.parse(times.startedAt),
    });
  });

  test('is read from the last state while it waits for a restart', () => {
    const waiting = podOf({ waiting: { reason: 'CrashLoopBackOff' } }, { lastState: ended });
    expect(found(waiting)?.failure?.exitCode).toBe(127);
    expect(found(podOf({}, { lastState: ended }))?.failure?.exitCode).toBe(127);
    expect(found(podOf({ waiting: {} }))).toBeNull();
  });

  test('is lost if it was reported to run and is nowhere', () => {
    expect(found(podOf({ running: { startedAt: times.startedAt } }))).toMatchObject({
      failure: {
        exitCode: 137,
        signal: null,
        endedAtMs: NOW_MS,
        reason: 'ContainerStatusUnknown',
        message: 'The container could not be found after the node restarted',
      },
      startedAtMs: Date.parse(times.startedAt),
    });
    expect(found(podOf({ running: {} }))).toMatchObject({ startedAtMs: NOW_MS });
  });

  test('is none if a newer or the same run was found, or the API has none', () => {
    expect(found(podOf(ended), newest(2))).toBeNull();
    expect(found(podOf(ended), newest(1))).not.toBeNull();
    expect(found(podOf(ended, { restartCount: 0 }))).not.toBeNull();
    expect(found(podOf(ended, { name: 'other' }))).toBeNull();
    expect(found({})).toBeNull();
  });

  test.each([
    [0, null],
    [1, 0],
    [2, 10],
    [6, 160],
    [7, 300],
    [1_000_000_000, 300],
  ])('of %i restarts had a pause of %s s before it', (restartCount, backoffSeconds) => {
    expect(found(podOf(ended, { restartCount }))?.identity.backoffSeconds).toBe(backoffSeconds);
  });

  test('takes the times and words that are missing from what it has', () => {
    const bare = { terminated: { exitCode: 1 } };
    expect(found(podOf(bare))).toMatchObject({
      failure: { endedAtMs: NOW_MS, reason: 'Error', message: '' },
      startedAtMs: NOW_MS,
    });
  });
});
