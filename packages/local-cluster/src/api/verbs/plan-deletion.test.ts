import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import { type DeletionRequest, planDeletion } from './plan-deletion.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

const object = (metadata: JsonObject): JsonObject => ({ metadata: { name: 'a', ...metadata } });

const plan = (
  metadata: JsonObject,
  request: Partial<DeletionRequest> = {},
): ReturnType<typeof planDeletion> =>
  planDeletion({
    object: object(metadata),
    graceful: undefined,
    graceSeconds: undefined,
    policy: undefined,
    orphansByDefault: false,
    held: false,
    nowMs: NOW,
    ...request,
  });

const graceful = { defaultSeconds: () => 30, immediate: () => false };

const marked = (metadata: JsonObject): object => ({ kind: 'keep', object: object(metadata) });

describe('planDeletion', () => {
  it('removes an object at once when nothing delays its deletion', () => {
    expect(plan({})).toEqual({ kind: 'remove', marked: null });
  });

  it('marks an object with a finalizer as deleted, and raises its generation once', () => {
    const first = plan({ finalizers: ['x/y'], generation: 3 });
    const deleted = {
      deletionTimestamp: '2026-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
      generation: 4,
    };
    expect(first).toEqual(marked({ finalizers: ['x/y'], ...deleted }));
    const again = plan({ finalizers: ['x/y'], ...deleted }, { nowMs: NOW + 5_000 });
    expect(again).toEqual(marked({ finalizers: ['x/y'], ...deleted }));
  });

  it('keeps an object that another rule protects', () => {
    expect(plan({}, { held: true })).toMatchObject({ kind: 'keep' });
  });

  it.each([
    ['Orphan', 'orphan'],
    ['Foreground', 'foregroundDeletion'],
  ] as const)(
    'adds the finalizer of the garbage collector for the policy %s',
    (policy, finalizer) => {
      expect(plan({}, { policy })).toMatchObject({
        kind: 'keep',
        object: { metadata: { finalizers: [finalizer] } },
      });
    },
  );

  it('removes the finalizers of an earlier policy', () => {
    const before = { finalizers: ['orphan', 'x/y'] };
    expect(plan(before, { policy: 'Background' })).toMatchObject({
      object: { metadata: { finalizers: ['x/y'] } },
    });
    expect(plan({ finalizers: ['foregroundDeletion'] }, { policy: 'Background' })).toMatchObject({
      kind: 'remove',
    });
  });

  it('keeps the policy of an earlier request, and applies the default of the kind', () => {
    expect(plan({ finalizers: ['orphan'] })).toMatchObject({ kind: 'keep' });
    expect(plan({}, { orphansByDefault: true })).toMatchObject({
      object: { metadata: { finalizers: ['orphan'] } },
    });
  });

  it('sets the requested grace period of a graceful kind, else its default', () => {
    expect(plan({ generation: 1 }, { graceful })).toEqual(
      marked({
        deletionTimestamp: '2026-01-01T00:00:30Z',
        deletionGracePeriodSeconds: 30,
        generation: 2,
      }),
    );
    expect(plan({}, { graceful, graceSeconds: 5 })).toMatchObject({
      object: { metadata: { deletionTimestamp: '2026-01-01T00:00:05Z' } },
    });
    expect(plan({}, { graceful, graceSeconds: -1 })).toMatchObject({
      object: { metadata: { deletionGracePeriodSeconds: 1 } },
    });
  });

  it('removes a graceful kind at once with a grace period of zero, or when it is immediate', () => {
    const now = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 };
    const removed = { kind: 'remove', marked: object(now) };
    expect(plan({}, { graceful, graceSeconds: 0 })).toEqual(removed);
    const immediate = { ...graceful, immediate: () => true };
    expect(plan({}, { graceful: immediate, graceSeconds: 60 })).toEqual(removed);
  });

  const terminating = {
    deletionTimestamp: '2026-01-01T00:00:30Z',
    deletionGracePeriodSeconds: 30,
  };

  it('shortens the grace period of a terminating object, and never lengthens it', () => {
    expect(plan(terminating, { graceful, graceSeconds: 10 })).toEqual(
      marked({ deletionTimestamp: '2026-01-01T00:00:10Z', deletionGracePeriodSeconds: 10 }),
    );
    expect(plan(terminating, { graceful, graceSeconds: 30 })).toEqual({ kind: 'pending' });
    expect(plan(terminating, { graceful, graceSeconds: 60 })).toEqual({ kind: 'pending' });
    expect(plan(terminating, { graceful })).toEqual({ kind: 'pending' });
  });

  it('reads a negative grace period as one second, also of a terminating object', () => {
    expect(plan(terminating, { graceful, graceSeconds: -1 })).toMatchObject({
      kind: 'keep',
      object: { metadata: { deletionGracePeriodSeconds: 1 } },
    });
  });

  it('removes a terminating object when the node confirms it with a grace period of zero', () => {
    expect(plan(terminating, { graceful, graceSeconds: 0 })).toMatchObject({ kind: 'remove' });
  });
});
