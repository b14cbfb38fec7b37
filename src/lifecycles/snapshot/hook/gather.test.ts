import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { target } from '../../../../test/sim/snapshot/hook-facts.ts';
import { lifeOf } from './gather.ts';

const chosen = target('a/x', { restartCount: 2 });

const pod = (
  container: object = {},
  { uid = 'uid-a', phase = 'Running', ...more }: { [field: string]: string } = {},
): Pod =>
  ({
    metadata: { name: 'a', uid, ...more },
    status: {
      phase,
      containerStatuses: [
        { name: 'x', restartCount: 2, containerID: 'id-a/x', state: { running: {} }, ...container },
      ],
    },
  }) as unknown as Pod;

const terminating = { deletionTimestamp: '2026-01-01T00:00:00Z' };

describe('lifeOf', () => {
  it.each([
    ['the same container', pod(), 'same'],
    ['no pod', undefined, 'gone'],
    ['a recreated pod', pod({}, { uid: 'uid-b' }), 'gone'],
    ['a pod in a terminal phase', pod({}, { phase: 'Failed' }), 'gone'],
    [
      'a container that was restarted',
      pod({ restartCount: 3, containerID: 'id-new' }),
      'restarted',
    ],
    [
      'a container that has exited',
      pod({ state: { terminated: { containerID: 'id-a/x' } } }),
      'restarted',
    ],
    ['a replaced container', pod({ containerID: 'id-new' }), 'restarted'],
    ['a status from before its restart', pod({ restartCount: 1, containerID: 'id-old' }), 'same'],
    ['a running container of a terminating pod', pod({}, terminating), 'terminating'],
    [
      'a container that has exited in a terminating pod',
      pod({ state: { terminated: { containerID: 'id-a/x' } } }, terminating),
      'gone',
    ],
    ['a status from before its start', pod({ containerID: '', state: { waiting: {} } }), 'same'],
  ])('classifies %s', (_, found, kind) => {
    expect(lifeOf(chosen, found).kind).toBe(kind);
  });

  it.each([
    ['no pod', undefined, 'the pod a is deleted'],
    [
      'a recreated pod',
      pod({}, { uid: 'uid-b' }),
      'the pod a is deleted, and a new pod has its name',
    ],
    ['a pod in a terminal phase', pod({}, { phase: 'Succeeded' }), 'the pod a has ended'],
    [
      'a container that was restarted',
      pod({ restartCount: 3, containerID: 'id-new' }),
      'the container x of pod a has exited since',
    ],
    ['a terminating pod', pod({}, terminating), 'the pod a is terminating'],
  ])('reports the reason of %s', (_, found, reason) => {
    const life = lifeOf(chosen, found);
    expect('reason' in life ? life.reason : life.kind).toBe(reason);
  });

  it.each([
    [
      'a container that was restarted in a terminating pod, and runs',
      pod({ restartCount: 3, containerID: 'id-new' }, terminating),
      'restarted',
    ],
    [
      'a terminated container of before, whose successor was chosen',
      pod({ state: { terminated: { containerID: 'id-old' } } }),
      'same',
    ],
    ['a container that has no status yet', pod({ name: 'other' }), 'same'],
    [
      'a container without a status in a terminating pod',
      pod({ name: 'other' }, terminating),
      'terminating',
    ],
  ])('classifies %s', (_, found, kind) => {
    expect(lifeOf(chosen, found).kind).toBe(kind);
  });
});
