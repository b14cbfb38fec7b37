import { describe, expect, it } from 'vitest';

import {
  containerStatus,
  ended,
  hookPod,
  running,
  type SampleHookPod,
} from '../../../../test/fixtures/rollout/hook-pods.ts';
import { isGone } from './is-gone.ts';

const withSidecar = (state: object): SampleHookPod => ({
  ...ended(0),
  status: {
    phase: 'Running',
    containerStatuses: [
      containerStatus('hook', ended(0).state ?? {}),
      containerStatus('proxy', state),
    ],
  },
});

describe('isGone', () => {
  it.each<[string, SampleHookPod, boolean]>([
    ['pending', {}, false],
    ['running', running, false],
    ['running and deleted', { ...running, deleted: 100 }, false],
    ['running and deleted by force', { ...running, deleted: 100, grace: 0 }, false],
    ['ended well', ended(0), true],
    ['ended with 1', ended(1), true],
    ['ended, phase behind', { ...ended(0), status: { phase: 'Running' } }, true],
    ['a sidecar runs on', withSidecar({ running: {} }), false],
    ['a sidecar has ended too', withSidecar({ terminated: { exitCode: 0 } }), true],
    ['its node is lost', { ...running, status: { phase: 'Unknown' } }, false],
    ['evicted', { status: { phase: 'Failed', reason: 'Evicted' } }, true],
    ['called Failed, and still there', { ...running, status: { phase: 'Failed' } }, false],
    [
      'called Failed, on a node that is gone',
      { ...running, status: { phase: 'Failed' }, deleted: 9, grace: 0 },
      true,
    ],
    ['on no node', { node: null }, false],
    ['on no node, and deleted: it gets none', { node: null, deleted: 1 }, true],
    ['not begun, deleted', { state: { waiting: {} }, deleted: 100 }, false],
    [
      'not begun, deleted, let go by its node',
      { state: { waiting: {} }, deleted: 100, grace: 0 },
      true,
    ],
  ])('%s', (...[, sample, expected]) => {
    expect(isGone(hookPod(sample))).toBe(expected);
  });
});
