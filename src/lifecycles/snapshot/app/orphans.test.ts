import { describe, expect, it } from 'vitest';

import { sampleHook, sampleSnapshot } from '../../../../test/fixtures/snapshot/app-facts.ts';
import type { ExecutionHook } from '../kinds.ts';
import { EVIDENCE_FINALIZER, HOOK_FINALIZER } from '../names.ts';
import { orphansOf } from './orphans.ts';

/** Of the snapshot with this UID. */
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

  it.each([
    { what: 'of the snapshot that is there', hooks: [own], gone: false, count: 0 },
    { what: 'of one before it of the same name', hooks: [own, strange], gone: false, count: 1 },
    { what: 'of one that is gone', hooks: [own, strange], gone: true, count: 2 },
    {
      what: 'whose evidence nobody waits for any more',
      hooks: [hookOf('x', [HOOK_FINALIZER])],
      gone: true,
      count: 0,
    },
  ])('finds hooks $what', ({ hooks, gone, count }) => {
    expect(orphansOf(hooks, gone ? null : sampleSnapshot())).toHaveLength(count);
  });
});
