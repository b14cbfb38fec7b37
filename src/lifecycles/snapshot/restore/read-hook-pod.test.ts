import type { ContainerState, Pod, PodStatus } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { HOOK_CONTAINER } from './hook-pod.ts';
import { readHookPod } from './read-hook-pod.ts';

function failed(terminated: ContainerState['terminated'], status: PodStatus = {}): Pod {
  const state = terminated === undefined ? {} : { terminated };
  const rest = { image: '', imageID: '', ready: false, restartCount: 0 };
  const containerStatuses = [{ name: HOOK_CONTAINER, state, ...rest }];
  return {
    metadata: { name: 'p' },
    spec: { containers: [] },
    status: { phase: 'Failed', containerStatuses, ...status },
  };
}

it('a hook pod succeeds with its own container, whatever container a webhook has added (SNAP-V16)', () => {
  const pod = failed({ exitCode: 0 });
  const rest = { image: '', imageID: '', ready: false, restartCount: 0 };
  const added = { name: 'proxy', state: { terminated: { exitCode: 143 } }, ...rest };
  pod.status?.containerStatuses?.unshift(added);
  const reason = 'Pod p ended with exit code 0.';
  expect(readHookPod(pod)).toMatchObject({ kind: 'ended', outcome: 'Succeeded', reason });
});

describe('a hook pod that its deadline stopped', () => {
  const stopped = (finishedAt: string): Pod => ({
    ...failed(
      { exitCode: 0, finishedAt },
      { reason: 'DeadlineExceeded', startTime: '2026-01-01T00:00:00Z' },
    ),
    spec: { containers: [], activeDeadlineSeconds: 60 },
  });

  it('succeeds if its own container had ended before, and an added one kept it running (SNAP-V16)', () => {
    const state = readHookPod(stopped('2026-01-01T00:00:59Z'));
    expect(state).toMatchObject({ kind: 'ended', outcome: 'Succeeded', exitCode: 0 });
  });

  it('has timed out if its own container ended only then', () => {
    const state = readHookPod(stopped('2026-01-01T00:01:00Z'));
    expect(state).toMatchObject({ kind: 'ended', outcome: 'TimedOut' });
    expect(state).not.toHaveProperty('exitCode');
  });
});

describe('the exit code of a failed hook pod (SNAP-V11)', () => {
  it('is that of a container that ended by itself', () => {
    expect(readHookPod(failed({ exitCode: 3 }))).toMatchObject({ outcome: 'Failed', exitCode: 3 });
  });

  it.each<[string, Pod, string]>([
    [
      'whose pod was evicted',
      failed({ exitCode: 137 }, { reason: 'Evicted', message: 'low on memory' }),
      'Pod p ended with exit code 137 (Evicted: low on memory).',
    ],
    [
      'that could not start',
      failed({ exitCode: 128, reason: 'StartError' }),
      'Pod p ended with exit code 128.',
    ],
    [
      'that could not run',
      failed({ exitCode: 127, reason: 'ContainerCannotRun' }),
      'Pod p ended with exit code 127.',
    ],
    [
      'that ran out of memory',
      failed({ exitCode: 137, reason: 'OOMKilled' }),
      'Pod p ended with exit code 137 (OOMKilled: raise the memory limit in resources of the hook).',
    ],
    [
      'of which another process ran out of memory',
      failed({ exitCode: 1, reason: 'OOMKilled' }),
      'Pod p ended with exit code 1 (OOMKilled: raise the memory limit in resources of the hook).',
    ],
  ])('is not recorded for a container %s', (...[, pod, reason]) => {
    const state = readHookPod(pod);
    expect(state).toMatchObject({ kind: 'ended', outcome: 'Failed', reason });
    expect(state).not.toHaveProperty('exitCode');
  });
});
