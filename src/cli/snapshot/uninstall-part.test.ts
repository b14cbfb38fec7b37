import { describe, expect, it } from 'vitest';

import type {
  ApplicationSnapshot,
  ContainerStatus,
  ExecutionHook,
} from '../../lifecycles/snapshot/kinds.ts';
import { whatSnapshotsHold } from './uninstall-part.ts';

describe('whatSnapshotsHold', () => {
  it('returns nothing when there are no objects', () => {
    expect(whatSnapshotsHold({ hooks: [], snapshots: [], restores: [] })).toEqual([]);
  });

  it('lists each hook, with the containers that it keeps frozen', () => {
    const frozen: Partial<ContainerStatus> = {
      podName: 'db-0',
      containerName: 'db',
      preActionStatus: { actionTimestamp: '2026-01-01T00:00:00.000000Z' },
    };
    const hooks = [
      {
        metadata: { namespace: 'shop', name: 'night' },
        spec: {},
        status: { containerExecutionHookStatuses: [frozen as ContainerStatus] },
      },
      { metadata: { namespace: 'shop', name: 'idle' }, spec: {} },
    ] as ExecutionHook[];
    expect(whatSnapshotsHold({ hooks, snapshots: [], restores: [] })).toEqual([
      'ExecutionHook shop/night, which holds db-0/db frozen',
      'ExecutionHook shop/idle',
    ]);
  });

  it('says how a hook ends whose thaw nothing proves', () => {
    const unproven: Partial<ContainerStatus> = {
      podName: 'db-0',
      containerName: 'db',
      preActionStatus: { actionTimestamp: '2026-01-01T00:00:00.000000Z' },
      thawUnproven: { reason: 'its container ended', at: '2026-01-01T00:01:00.000000Z' },
    };
    const status = { containerExecutionHookStatuses: [unproven as ContainerStatus] };
    const hooks = [{ metadata: { namespace: 'shop', name: 'night' }, spec: {}, status }];
    expect(whatSnapshotsHold({ hooks, snapshots: [], restores: [] })[0]).toContain(
      'lifehook snapshot release night -n shop --by YOU',
    );
  });

  it('names the snapshots whose volume snapshots an uninstall deletes', () => {
    const snapshot = (name: string, status: object): ApplicationSnapshot =>
      ({ metadata: { namespace: 'shop', name }, status }) as ApplicationSnapshot;
    const completedAt = '2026-01-01T00:00:00Z';
    const snapshots = [snapshot('night', { completedAt }), snapshot('morning', {})];
    expect(whatSnapshotsHold({ hooks: [], snapshots, restores: [] })).toEqual([
      'ApplicationSnapshot shop/night',
      'ApplicationSnapshot shop/morning (not complete: its VolumeSnapshots are deleted with it)',
    ]);
  });
});
