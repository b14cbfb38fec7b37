/** The reasons why a snapshot has no plan, as a user reads them, and the names in a plan. */
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { sampleSnapshot } from '../../../../test/fixtures/snapshot/app-facts.ts';
import {
  IS_DEFAULT_CLASS,
  IS_DEFAULT_GROUP_CLASS,
  type SnapshotClass,
} from '../../../kube/snapshots.ts';
import type { ApplicationSnapshotSpec } from '../kinds.ts';
import { CLAIMS_MAX, HOOK_INFOS_MAX, PODS_MAX } from '../schema/limits.ts';
import { type ClaimFacts, type PlanFacts, planSnapshot } from './plan.ts';

const claim = (name: string, more: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim => ({
  metadata: { name, uid: `claim-${name}` },
  spec: { volumeName: `pv-${name}` },
  status: { phase: 'Bound' },
  ...more,
});
const volume = (name: string, more: PersistentVolume['spec'] = {}): PersistentVolume => ({
  metadata: { name: `pv-${name}` },
  spec: {
    claimRef: { uid: `claim-${name}` },
    csi: { driver: 'fast.example', volumeHandle: `handle-${name}` },
    ...more,
  },
});
const found = (name: string, more: Partial<ClaimFacts> = {}): ClaimFacts => ({
  name,
  claim: claim(name),
  volume: volume(name),
  infos: [],
  infosProblem: null,
  ...more,
});
const theClass: SnapshotClass = {
  metadata: {
    name: 'fast',
    annotations: { [IS_DEFAULT_CLASS]: 'true', [IS_DEFAULT_GROUP_CLASS]: 'true' },
  },
  driver: 'fast.example',
  deletionPolicy: 'Delete',
};
const attached = {
  metadata: { name: 'a' },
  spec: {
    attacher: 'fast.example',
    nodeName: 'n1',
    source: { persistentVolumeName: 'pv-data' },
  },
  status: { attached: true },
};
const podThat = (name: string) => ({
  metadata: { name },
  spec: {
    nodeName: 'n1',
    volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
    containers: [{ name: 'db', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
  },
  status: {
    containerStatuses: [
      { name: 'db', image: '', imageID: '', ready: true, restartCount: 0, state: { running: {} } },
    ],
  },
});

function planOf(
  more: Partial<Omit<PlanFacts, 'snapshot'>> & {
    readonly spec?: Partial<ApplicationSnapshotSpec>;
  } = {},
) {
  const { spec, ...facts } = more;
  return planSnapshot({
    snapshot: sampleSnapshot(undefined, spec),
    claims: [found('data')],
    attachments: [],
    pods: [],
    classes: [theClass],
    ...facts,
  });
}
const reported = (more: Parameters<typeof planOf>[0]): string => {
  const plan = planOf(more);
  return 'reason' in plan ? `${plan.reason}: ${plan.message}` : 'planned';
};
const pods = (count: number) => Array.from({ length: count }, (_, at) => podThat(`db-${at}`));
const infos = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ executionHookTemplateName: `t-${at}` }));

describe('a snapshot has no plan', () => {
  const one = { executionHookInfos: infos(1) };
  const selector = { matchLabels: { app: 'db' } };

  it.each<[string, Parameters<typeof planOf>[0], string]>([
    [
      'if no claim has the labels',
      { claims: [], spec: { source: { selector } } },
      'NoClaims: no claim of the namespace has the labels {"app":"db"}',
    ],
    [
      'if more than a hundred claims have the labels',
      { claims: Array.from({ length: CLAIMS_MAX + 1 }, () => found('data')) },
      'TooManyClaims: a snapshot takes at most 100 claims, and the selector finds 101',
    ],
    [
      'if the claim does not exist',
      { claims: [found('data', { claim: null })] },
      'NoClaim: claim data does not exist',
    ],
    [
      'if the claim terminates',
      {
        claims: [found('data', { claim: claim('data', { metadata: { deletionTimestamp: 'x' } }) })],
      },
      'ClaimGoing: claim data is being deleted',
    ],
    [
      'if the claim has no status yet',
      { claims: [found('data', { claim: { metadata: { name: 'data', uid: 'claim-data' } } })] },
      'ClaimNotBound: claim data must be bound to a volume; it is Pending',
    ],
    [
      'if the volume does not exist',
      { claims: [found('data', { volume: null })] },
      'NoVolume: the volume of claim data does not exist',
    ],
    [
      'if the volume is bound to no claim',
      { claims: [found('data', { volume: { metadata: { name: 'pv-data' }, spec: {} } })] },
      'WrongVolume: volume pv-data must be bound to claim data, but is bound to another claim',
    ],
    [
      'if the volume is bound to another claim',
      { claims: [found('data', { volume: volume('data', { claimRef: { uid: 'another' } }) })] },
      'WrongVolume: volume pv-data must be bound to claim data, but is bound to another claim',
    ],
    [
      'if there is no class, and names the claim',
      { spec: { volumeSnapshotClassName: 'lead' } },
      'NoClass: claim data: VolumeSnapshotClass lead does not exist',
    ],
    [
      'SNAP-G19: if the volume is in use and no container mounts it',
      { spec: one, attachments: [attached] },
      'NoTargets: a volume is in use, but no running container mounts it: wait until its pods run, or give a podSelector',
    ],
    [
      'if more pods mount the volume than a hook may have',
      { spec: one, pods: pods(PODS_MAX + 1) },
      'TooManyTargets: a hook freezes at most 500 pods, and 501 mount the volumes: give a podSelector',
    ],
    [
      'if its claims ask for too many hooks',
      { claims: [found('data', { infos: infos(HOOK_INFOS_MAX + 1) })] },
      'TooManyHooks: a snapshot has at most 100 hooks, and its claims ask for 101',
    ],
  ])('%s', (_, more, expected) => {
    expect(reported(more)).toBe(expected);
  });

  it('accepts as many claims, pods and hooks as the limits say', () => {
    const claims = Array.from({ length: CLAIMS_MAX }, () => found('data'));
    expect(reported({ claims })).toBe('planned');
    expect(reported({ spec: one, pods: pods(PODS_MAX) })).toBe('planned');
    expect(reported({ claims: [found('data', { infos: infos(HOOK_INFOS_MAX) })] })).toBe('planned');
  });
});

describe('a plan', () => {
  it('SNAP-I12: names each VolumeSnapshot, and no VolumeGroupSnapshot', () => {
    const plan = planOf();
    expect(plan).toMatchObject({ volumes: [{ volumeSnapshotName: 'nightly-data-aaaaaaaa' }] });
    expect(Object.keys(plan)).not.toContain('volumeGroupSnapshotName');
  });

  it('names the VolumeGroupSnapshot of a group, and no VolumeSnapshot', () => {
    const plan = planOf({ spec: { mode: 'Group' } });
    expect(plan).toMatchObject({ volumeGroupSnapshotName: 'nightly-aaaaaaaa' });
    const [planned = {}] = 'volumes' in plan ? plan.volumes : [];
    expect(Object.keys(planned)).not.toContain('volumeSnapshotName');
  });

  it('has no handle and no driver for a volume that is no CSI volume', () => {
    const local = { ...volume('data'), spec: { claimRef: { uid: 'claim-data' } } };
    const plan = planOf({ claims: [found('data', { volume: local })] });
    const [planned = {}] = 'volumes' in plan ? plan.volumes : [];
    expect(Object.keys(planned)).not.toContain('volumeHandle');
    expect(planned).toMatchObject({ volumeName: 'pv-data', snapshotClassName: 'fast' });
  });

  it('SNAP-R27: has no hooks where none are asked for', () => {
    expect(planOf({ attachments: [attached] })).toMatchObject({
      executionHookInfos: [],
      executionHookNames: [],
    });
  });

  it('SNAP-R30: keeps a hook that selects containers by name alone', () => {
    const info = { executionHookTemplateName: 'db', containerSelector: { ContainerName: 'db' } };
    const plan = planOf({ spec: { executionHookInfos: [info] }, attachments: [attached] });
    expect(plan).toMatchObject({ executionHookInfos: [info] });
  });
});
