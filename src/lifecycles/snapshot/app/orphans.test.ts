import { describe, expect, it } from 'vitest';

import { sampleHook, sampleSnapshot } from '../../../../test/fixtures/snapshot/app-facts.ts';
import type { ExecutionHook } from '../kinds.ts';
import { EVIDENCE_FINALIZER, HOOK_FINALIZER } from '../names.ts';
import { orphansOf } from './orphans.ts';

/** A hook that the snapshot with this UID owns. */
function hookOf(uid: string, finalizers: string[] = [EVIDENCE_FINALIZER]): ExecutionHook {
  const hook = sampleHook({ finalizers });
  const owner = {
    apiVersion: 'lifehook.dev/v1alpha1',
    kind: 'ApplicationSnapshot',
    name: 'nightly',
  };
  return {
    ...hook,
    metadata: { ...hook.metadata, ownerReferences: [{ ...owner, uid, controller: true }] },
  };
}

describe('orphansOf', () => {
  const own = hookOf('aaaaaaaa-0000');
  const strange = hookOf('bbbbbbbb-0000');
  const kept = hookOf('aaaaaaaa-0000', [HOOK_FINALIZER]);
  const there = sampleSnapshot();
  const over = sampleSnapshot({ phase: 'Failed', completedAt: '2026-01-01T00:00:00Z' });

  it.each([
    { what: 'of the current snapshot', hooks: [own], snapshot: there, count: 0 },
    { what: 'of it and an earlier one', hooks: [own, strange], snapshot: there, count: 1 },
    { what: 'of a deleted snapshot', hooks: [own, strange], snapshot: null, count: 2 },
    { what: 'of a completed snapshot', hooks: [own], snapshot: over, count: 1 },
    { what: 'without the evidence finalizer', hooks: [kept], snapshot: over, count: 0 },
    { what: 'without it and without a snapshot', hooks: [kept], snapshot: null, count: 0 },
  ])('counts $count orphans among hooks $what', ({ hooks, snapshot, count }) => {
    expect(orphansOf(hooks, snapshot)).toHaveLength(count);
  });
});
