import { describe, expect, it } from 'vitest';

import type { VolumeSnapshot } from '../../kube/snapshots.ts';
import type { ApplicationSnapshot } from '../../lifecycles/snapshot/kinds.ts';
import { recordsOf, volumeSnapshotText } from './volume-snapshot-text.ts';

const verdict = { value: 'ApplicationConsistent', reason: 'FrozenAtCut', message: 'it was frozen' };
const application = (name: string, status: object): ApplicationSnapshot =>
  ({ metadata: { namespace: 'shop', name }, spec: {}, status }) as ApplicationSnapshot;
const entry = { kind: 'VolumeSnapshot', name: 'velero-1', uid: 'u' };
const snapshot = (more: object = {}): VolumeSnapshot => ({
  metadata: { namespace: 'shop', name: 'velero-1', uid: 'u', ...more },
  spec: { source: { persistentVolumeClaimName: 'data' } },
  status: { readyToUse: true, creationTime: '2026-01-01T00:00:03Z' },
});
const HEAD =
  'VolumeSnapshot shop/velero-1\n  claim     data\n  cut       2026-01-01T00:00:03Z\n  ready     yes\n';

const text = (one: VolumeSnapshot, ...all: ApplicationSnapshot[]): string =>
  volumeSnapshotText(one, recordsOf(one, all));

describe('the status of a VolumeSnapshot', () => {
  it('has the verdict of the window that admitted it, and the times of the freeze', () => {
    const hooks = [{ firstPreAt: '2026-01-01T00:00:02Z', lastThawAt: '2026-01-01T00:00:04Z' }];
    const window = application('w-1', { hooks, admitted: [{ ...entry, verdict }] });
    expect(text(snapshot(), application('other', {}), window)).toBe(
      `${HEAD}  window    w-1\n  verdict   ApplicationConsistent (FrozenAtCut)\n            it was frozen\n` +
        '  frozen    2026-01-01T00:00:02Z\n  thawed    2026-01-01T00:00:04Z\n',
    );
  });

  it('says that the verdict is not decided while the window is open', () => {
    const window = application('w-1', { admitted: [entry] });
    expect(text(snapshot(), window)).toBe(`${HEAD}  window    w-1\n  verdict   not decided yet\n`);
  });

  it('has the verdict of its group, and not of a snapshot of its name', () => {
    const group = { kind: 'VolumeGroupSnapshot', name: 'g', uid: 'group', verdict };
    const member = snapshot({ ownerReferences: [{ uid: 'group' }] });
    expect(text(member, application('w-1', { admitted: [group] }))).toContain('FrozenAtCut');
    const replaced = application('w-1', { admitted: [{ ...entry, uid: 'before', verdict }] });
    expect(text(snapshot(), replaced)).toBe(
      `${HEAD}  verdict   none: no guard has admitted it, and no ApplicationSnapshot created it\n`,
    );
  });

  it('names the ApplicationSnapshot that created it', () => {
    const volumes = [{ volumeSnapshotUID: 'u' }];
    expect(text(snapshot(), application('nightly', { volumes, verdict }))).toBe(
      `${HEAD}  created   by ApplicationSnapshot nightly\n  verdict   ApplicationConsistent (FrozenAtCut)\n            it was frozen\n`,
    );
  });

  it('does not trust a label', () => {
    const labels = {
      'lifehook.dev/verdict': 'CrashConsistent',
      'lifehook.dev/verdict-reason': 'R',
    };
    expect(text(snapshot({ labels }))).toContain(
      '  verdict   CrashConsistent (R) by its label, which proves nothing: the ApplicationSnapshot that recorded it is deleted\n',
    );
  });
});
