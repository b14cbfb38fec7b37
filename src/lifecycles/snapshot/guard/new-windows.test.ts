import { describe, expect, it } from 'vitest';

import { sampleWindow } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { admittedGroup } from '../../../../test/fixtures/snapshot/window-facts.ts';
import type { VolumeGroupSnapshotContent, VolumeSnapshot } from '../../../kube/snapshots.ts';
import { membersOf } from '../app/content-of.ts';
import { settledOf } from '../app/window-verdicts.ts';
import type { SnapshotGuard } from '../kinds.ts';
import { decideGuard } from './decide.ts';
import { restAfter } from './rest.ts';

it('leaves no rest after a window that has no hooks (SNAP-W14)', () => {
  const closedAt = '2026-01-01T00:01:05.000000Z';
  const window = sampleWindow(3, { cutRequestedAt: '2026-01-01T00:01:00.000000Z', closedAt });
  expect(restAfter(window, Date.parse(closedAt)).ms).toBe(0);
});

describe('the members of a group (SNAP-W7)', () => {
  const group: VolumeGroupSnapshotContent = {
    spec: {
      volumeGroupSnapshotRef: { uid: 'g' },
      deletionPolicy: 'Delete',
      driver: 'fast.example',
      source: {},
    },
    status: { volumeSnapshotInfoList: [{ volumeHandle: 'v', snapshotHandle: 'part' }] },
  };
  const content = {
    metadata: { name: 'content-m' },
    spec: { ...group.spec, volumeSnapshotRef: { uid: 'm' } },
    status: { snapshotHandle: 'part' },
  };

  function handles(member: VolumeSnapshot): readonly string[] {
    const caches = {
      snapshots: {
        byIndex: (index: string, uid: string) => (index === 'owner' && uid === 'g' ? [member] : []),
      },
      contents: { get: (name: string) => (name === 'content-m' ? content : undefined) },
    };
    return membersOf(caches as never, { uid: 'g', content: group }).map(({ handle }) => handle);
  }

  const member: VolumeSnapshot = {
    metadata: { uid: 'm' },
    spec: { source: { persistentVolumeClaimName: 'data' } },
  };

  it('are among the snapshots that the group owns', () => {
    const bound = { boundVolumeSnapshotContentName: 'content-m' };
    expect(handles({ ...member, status: bound })).toEqual(['part']);
  });

  it('lack a snapshot that has no status yet', () => {
    expect(handles(member)).toEqual([]);
  });
});

it('gives a guard no number before its first window (SNAP-W6)', () => {
  const guard: SnapshotGuard = {
    metadata: { namespace: 'shop', name: 'mariadb' },
    spec: { executionHookInfos: [{ executionHookTemplateName: 'lock' }] },
  };
  const facts = { guard, windows: [], isEnabled: true, missingTemplates: [], nowMs: 0 };
  expect('newestNumber' in (decideGuard(facts).status ?? {})).toBe(false);
});

it('waits for the volumes of a group that has no status yet (SNAP-W3)', () => {
  const { object, content, ...facts } = admittedGroup('g', { handles: ['handle-data'] });
  const { status: _, ...created } = object ?? {};
  const status = { creationTime: '2026-01-01T00:00:00Z' };
  const unlisted = content === null ? null : { ...content, status };
  expect(settledOf({ ...facts, object: created, content: unlisted }, [])).toEqual({
    kind: 'pending',
    message: 'VolumeGroupSnapshot snapshot-g does not list its volumes yet',
  });
});
