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
