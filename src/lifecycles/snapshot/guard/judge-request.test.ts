import { beforeEach, describe, expect, it } from 'vitest';

import {
  FROZEN_WINDOW,
  GUARD_AT,
  GuardBench,
} from '../../../../test/fixtures/snapshot/guard-bench.ts';
import {
  creationOf,
  GUARD_NAMESPACE as namespace,
  sampleClaim,
} from '../../../../test/fixtures/snapshot/guard-samples.ts';
import type { AdmissionRequest } from '../../../controller/admission/admission-review.ts';
import type { JsonObject } from '../../../kube/object.ts';
import { persistentVolumeClaims } from '../../../kube/resources.ts';
import { classes, groupSnapshots, snapshots } from '../../../kube/snapshots.ts';
import { storedTextBytes } from '../../../kube/stored-size.ts';
import { applicationSnapshots } from '../kinds.ts';

let bench: GuardBench;

beforeEach(() => {
  bench = new GuardBench();
});

describe('the webhook of the guards', () => {
  it('answers when the freeze is durable and the UID is recorded (SNAP-W1, SNAP-W2)', async () => {
    bench.guard();
    const asked = bench.ask(creationOf('u'));
    await bench.reportWhen('mariadb-window-1', { phase: 'Freezing' });
    await bench.pass(1_000);
    expect(bench.admittedTo(0)).toEqual([]);
    bench.report('mariadb-window-1', FROZEN_WINDOW);
    expect(await bench.until(asked)).toEqual({ allowed: true });
    expect(bench.windows[0]?.spec).toMatchObject({
      source: { persistentVolumeClaimNames: ['data'] },
      executionHookInfos: [{ executionHookTemplateName: 'lock' }],
      window: { guardName: 'mariadb', freezeTimeoutSeconds: 10, holdOpenSeconds: 0 },
    });
    expect(bench.windows[0]?.status?.admitted).toMatchObject([
      { uid: 'u', kind: 'VolumeSnapshot', name: 'snapshot-u', claimNames: ['data'] },
    ]);
    expect(bench.answers).toMatchObject([
      { answer: 'Admitted', guard: 'mariadb', reason: 'Frozen' },
    ]);
  });

  it('opens no window for what is not guarded (SNAP-W7)', async () => {
    expect(await bench.until(bench.ask(creationOf('a')))).toEqual({ allowed: true });
    bench.guard({ claimSelector: { matchLabels: { app: 'x' } } });
    expect(await bench.until(bench.ask(creationOf('b')))).toEqual({ allowed: true });
    expect(await bench.until(bench.ask(creationOf('c', { dryRun: true })))).toEqual({
      allowed: true,
    });
    expect([bench.windowNames, bench.answers]).toEqual([[], []]);
  });

  it('passes what an ApplicationSnapshot has planned, by its status and not by a label (SNAP-W7)', async () => {
    bench.guard({ freezeTimeoutSeconds: 1 });
    const own = bench.api.create(applicationSnapshots, {
      metadata: { namespace, name: 'nightly' },
      spec: { source: { persistentVolumeClaimNames: ['data'] } },
    } as never);
    const reference = { apiVersion: 'lifehook.dev/v1alpha1', kind: 'ApplicationSnapshot' };
    const owner = { ...reference, name: 'nightly', uid: own.metadata.uid ?? '', controller: true };
    const planned = (name: string, uid = owner.uid): AdmissionRequest =>
      creationOf('p', {
        object: { metadata: { name, uid: 'p', ownerReferences: [{ ...owner, uid }] } },
      });
    const volume = { claimName: 'data', volumeSnapshotName: 'nightly-data' } as never;
    bench.report('nightly', { volumes: [volume] });
    expect(await bench.until(bench.ask(planned('nightly-data')))).toMatchObject({ allowed: false });
    bench.report('nightly', { cutRequestedAt: GUARD_AT });
    expect(await bench.until(bench.ask(planned('nightly-data')))).toEqual({ allowed: true });
    expect(await bench.until(bench.ask(planned('other')))).toMatchObject({ allowed: false });
    expect(await bench.until(bench.ask(planned('nightly-data', 'forged')))).toMatchObject({
      allowed: false,
    });
    const ofOtherClaim = planned('nightly-data');
    const spec = { source: { persistentVolumeClaimName: 'logs' } };
    bench.api.create(persistentVolumeClaims, sampleClaim('logs'));
    expect(
      await bench.until(bench.ask({ ...ofOtherClaim, object: { ...ofOtherClaim.object, spec } })),
    ).toMatchObject({ allowed: false });
  });

  it.each([
    ['has seen its cut', { cutObservedAt: GUARD_AT }],
    ['has failed', { failure: { reason: 'CutDeadlineExceeded', message: 'late', at: GUARD_AT } }],
  ])(
    'passes nothing for an ApplicationSnapshot that %s: its hooks are thawed (SNAP-W7)',
    async (_, end) => {
      bench.guard({ freezeTimeoutSeconds: 1 });
      const own = bench.api.create(applicationSnapshots, {
        metadata: { namespace, name: 'nightly' },
        spec: { source: { persistentVolumeClaimNames: ['data'] } },
      } as never);
      const uid = own.metadata.uid ?? '';
      const reference = { apiVersion: 'lifehook.dev/v1alpha1', kind: 'ApplicationSnapshot' };
      const ownerReferences = [{ ...reference, name: 'nightly', uid, controller: true }];
      const again = creationOf('p', {
        object: { metadata: { name: 'nightly-data', uid: 'p', ownerReferences } },
      });
      const volumes = [{ claimName: 'data', volumeSnapshotName: 'nightly-data' } as never];
      bench.report('nightly', { volumes, cutRequestedAt: GUARD_AT });
      expect(await bench.until(bench.ask(again))).toEqual({ allowed: true });
      bench.report('nightly', end);
      expect(await bench.until(bench.ask(again))).toMatchObject({ allowed: false });
    },
  );

  it('passes the members of a group, which the snapshot controller creates after the cut (SNAP-W7)', async () => {
    bench.guard({ freezeTimeoutSeconds: 1 });
    const metadata = { namespace, name: 'all' };
    const group = bench.api.create(groupSnapshots, { metadata, spec: { source: {} } } as never);
    const owner = { apiVersion: 'groupsnapshot.storage.k8s.io/v1', kind: 'VolumeGroupSnapshot' };
    const memberOf = (more: JsonObject): AdmissionRequest => {
      const reference = { ...owner, name: 'all', uid: group.metadata.uid ?? '', ...more };
      return creationOf('m', { object: { metadata: { name: 'm', ownerReferences: [reference] } } });
    };
    expect(await bench.until(bench.ask(memberOf({})))).toEqual({ allowed: true });
    expect([bench.windowNames, bench.answers]).toEqual([[], []]);
    for (const orphan of [{ uid: 'another' }, { name: 'missing' }]) {
      const refused = await bench.until(bench.ask(memberOf(orphan)));
      expect(refused).toMatchObject({ allowed: false, status: { code: 403 } });
    }
    expect(bench.windowNames).toEqual([]);
    expect(bench.answers.map(({ reason }) => reason)).toEqual(['GroupMissing', 'GroupMissing']);
    for (const forged of [
      { kind: 'VolumeSnapshot' },
      { apiVersion: 'groupsnapshot.storage.k8s.io/v9' },
      { apiVersion: 'other.example/v1' },
    ])
      expect(await bench.until(bench.ask(memberOf(forged)))).toMatchObject({ allowed: false });
  });

  it('takes no snapshot with the label of its windows for a window (SNAP-W6)', async () => {
    bench.guard();
    bench.api.create(applicationSnapshots, {
      metadata: {
        namespace,
        name: 'mariadb-window-999999999999999',
        labels: { 'lifehook.dev/guard': 'mariadb' },
      },
      spec: { source: { persistentVolumeClaimNames: ['data'] } },
    } as never);
    const asked = bench.ask(creationOf('u'));
    await bench.reportWhen('mariadb-window-1', FROZEN_WINDOW);
    expect(await bench.until(asked)).toEqual({ allowed: true });
  });

  it('freezes nothing for a name that is taken: the server would refuse it after the freeze (SNAP-W8)', async () => {
    bench.guard();
    const metadata = { namespace, name: 'snapshot-u' };
    bench.api.create(snapshots, { metadata, spec: { source: {} } } as never);
    expect(await bench.until(bench.ask(creationOf('u')))).toEqual({
      allowed: false,
      status: {
        code: 409,
        reason: 'AlreadyExists',
        message:
          'SnapshotGuard mariadb of namespace shop refuses VolumeSnapshot snapshot-u (AlreadyExists): an object of this name exists already, so nothing was frozen. Give another name, or delete that object first.',
      },
    });
    expect(bench.windowNames).toEqual([]);
    expect(bench.answers).toMatchObject([{ answer: 'Refused', reason: 'AlreadyExists' }]);
  });

  it('refuses a request whose freeze takes too long, and says where it waits (SNAP-W8)', async () => {
    bench.guard({ freezeTimeoutSeconds: 2 });
    const asked = bench.ask(creationOf('u'));
    await bench.reportWhen('mariadb-window-1', { phase: 'Freezing' });
    expect(await bench.until(asked)).toEqual({
      allowed: false,
      status: {
        code: 503,
        reason: 'ServiceUnavailable',
        message:
          'SnapshotGuard mariadb of namespace shop refuses VolumeSnapshot snapshot-u (FreezeTimeout): the application was not frozen within 2 s: window mariadb-window-1 is Freezing. Nothing was snapshotted. See: kubectl describe applicationsnapshot mariadb-window-1 -n shop. Create the VolumeSnapshot again later.',
      },
    });
    expect(bench.admittedTo(0)).toEqual([]);
    expect(bench.answers).toMatchObject([{ answer: 'Refused', reason: 'FreezeTimeout' }]);
  });

  it('refuses at once when the freeze that it waits for fails (SNAP-W8)', async () => {
    bench.guard();
    const asked = bench.ask(creationOf('u'));
    await bench.reportWhen('mariadb-window-1', {});
    await bench.pass(500);
    bench.report('mariadb-window-1', {
      failure: { reason: 'PreActionFailed', message: 'exit 1', at: GUARD_AT },
    });
    expect(await bench.until(asked)).toMatchObject({
      allowed: false,
      status: { message: expect.stringContaining('(PreActionFailed): exit 1.') as string },
    });
  });

  it('lets an unfrozen one through with Allow, recorded as CrashConsistent at most (SNAP-W8)', async () => {
    bench.guard({ onFreezeFailure: 'Allow' });
    const asked = bench.ask(creationOf('u'));
    await bench.reportWhen('mariadb-window-1', {});
    await bench.pass(500);
    bench.report('mariadb-window-1', {
      failure: { reason: 'PreActionFailed', message: 'exit 1', at: GUARD_AT },
    });
    expect(await bench.until(asked)).toEqual({
      allowed: true,
      warnings: [
        'SnapshotGuard mariadb: VolumeSnapshot snapshot-u is not application-consistent: exit 1',
      ],
    });
    expect(bench.windows[0]?.status?.admitted).toMatchObject([
      {
        uid: 'u',
        unfrozen: 'PreActionFailed',
        verdict: { value: 'CrashConsistent', reason: 'NotFrozen', message: 'exit 1' },
      },
    ]);
    expect(bench.answers).toMatchObject([{ answer: 'Unfrozen', reason: 'PreActionFailed' }]);
  });

  it('records the cause in at most 512 bytes, since a window has many records (SNAP-W8)', async () => {
    bench.guard({ onFreezeFailure: 'Allow' });
    const asked = bench.ask(creationOf('u'));
    await bench.reportWhen('mariadb-window-1', {});
    await bench.pass(500);
    const failure = { reason: 'PreActionFailed', message: '<'.repeat(512), at: GUARD_AT };
    bench.report('mariadb-window-1', { failure });
    expect((await bench.until(asked)).allowed).toBe(true);
    const [entry] = bench.windows[0]?.status?.admitted ?? [];
    expect(storedTextBytes(entry?.verdict?.message ?? '')).toBe(510);
  });

  it('refuses with Allow too what it cannot record, since it could not be marked (SNAP-W8)', async () => {
    bench.guard({ onFreezeFailure: 'Allow' });
    bench.api.delete(persistentVolumeClaims, { namespace, name: 'data' }, {});
    bench.api.create(persistentVolumeClaims, sampleClaim('data', {}, 'Pending'));
    expect(await bench.until(bench.ask(creationOf('u')))).toMatchObject({
      allowed: false,
      status: { message: expect.stringContaining('claim data must be bound') as string },
    });
  });

  it('takes the cut signal of the class, and readyToUse if the class is not known (SNAP-W3)', async () => {
    bench.guard();
    const signalOf = async (uid: string, className: string): Promise<unknown> => {
      const spec = {
        source: { persistentVolumeClaimName: 'data' },
        volumeSnapshotClassName: className,
      };
      expect(
        await bench.until(
          bench.ask(creationOf(uid, { object: { metadata: { name: uid, uid }, spec } })),
        ),
      ).toEqual({
        allowed: true,
      });
      return bench.windows[0]?.status?.admitted?.find((each) => each.uid === uid)?.cutSignal;
    };
    const late = { 'lifehook.dev/cut-signal': 'readyToUse' };
    for (const [name, annotations] of [
      ['plain', {}],
      ['late', late],
    ] as const) {
      bench.api.create(classes, {
        metadata: { name, annotations },
        driver: 'd',
        deletionPolicy: 'Delete',
      } as never);
    }
    const first = bench.ask(creationOf('first'));
    await bench.reportWhen('mariadb-window-1', FROZEN_WINDOW);
    await bench.until(first);
    expect(await signalOf('a', 'plain')).toBe('creationTime');
    expect(await signalOf('b', 'late')).toBe('readyToUse');
    expect(await signalOf('c', 'unknown')).toBe('readyToUse');
  });
});
