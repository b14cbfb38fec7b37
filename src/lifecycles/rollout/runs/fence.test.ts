import { describe, expect, it } from 'vitest';

import {
  ended,
  hookPod,
  running,
  type SampleHookPod,
} from '../../../../test/fixtures/rollout/hook-pods.ts';
import { fenceReason } from './fence.ts';

describe('the fence before rollout 7 (ROLL-DH18)', () => {
  const reasonOver = (...pods: SampleHookPod[]): string | null =>
    fenceReason({ pods: pods.map((pod) => hookPod(pod)), number: 7 });
  const older = { ...running, number: 6, deleted: 99 };

  it.each<[string, SampleHookPod[]]>([
    ['without hook pods', []],
    ['next to a pod of this rollout', [running]],
    ['after a pod of an older rollout has exited', [{ ...ended(1), number: 6 }]],
  ])('is clear %s', (...[, pods]) => {
    expect(reasonOver(...pods)).toBeNull();
  });

  it.each<[string, SampleHookPod, string]>([
    ['that is terminating, on its node', older, 'Running on node n'],
    ['that has no node', { ...older, node: null, deleted: undefined as never }, 'Running'],
    ['of a lost node', { ...older, status: { phase: 'Unknown' } }, 'Unknown on node n'],
    ['without a phase', { ...older, status: { phase: undefined as never } }, 'Unknown on node n'],
  ])('names the pod of an older rollout %s', (...[, pod, how]) => {
    const name = hookPod(pod).metadata?.name ?? '';
    const reason = `hook pod ${name} of an older rollout has not ended yet (${how})`;
    expect(reasonOver({ ...ended(1), number: 5 }, running, pod)).toBe(reason);
  });

  it('passes over pods that are not hook pods', () => {
    const pod = { ...hookPod(older), metadata: { name: 'web-1' } };
    expect(fenceReason({ pods: [pod], number: 7 })).toBeNull();
  });
});
