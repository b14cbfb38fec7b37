import type { PersistentVolume, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.js';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.js';
import { describe, expect, it } from 'vitest';

import { sampleSnapshot } from '../../../../test/fixtures/snapshot/app-facts.ts';
import { IS_DEFAULT_CLASS, type SnapshotClass } from '../../../kube/snapshots.ts';
import type { ApplicationSnapshotSpec, ExecutionHookInfo } from '../kinds.ts';
import { CUT_SIGNAL } from '../names.ts';
import { type ClaimFacts, type PlanFacts, planSnapshot } from './plan.ts';

function claimFacts(name: string, more: Partial<ClaimFacts> = {}): ClaimFacts {
  const claim: PersistentVolumeClaim = {
    metadata: { name, namespace: 'shop', uid: `claim-${name}` },
    spec: { volumeName: `pv-${name}` },
    status: { phase: 'Bound' },
  };
  const volume: PersistentVolume = {
    metadata: { name: `pv-${name}` },
    spec: {
      claimRef: { uid: `claim-${name}` },
      csi: { driver: 'fast.example', volumeHandle: `handle-${name}` },
    },
  };
  return { name, claim, volume, infos: [], infosProblem: null, ...more };
}

const fast = (name: string, annotations: Record<string, string> = {}): SnapshotClass => ({
  metadata: { name, annotations },
  driver: 'fast.example',
  deletionPolicy: 'Delete',
});
const theDefault = { [IS_DEFAULT_CLASS]: 'true' };

interface SamplePod {
  readonly name?: string;
  readonly phase?: string;
  readonly node?: string;
  readonly claim?: string;
  readonly running?: boolean;
  readonly terminating?: boolean;
}

function samplePod({
  name = 'db-0',
  phase = 'Running',
  node = 'n1',
  ...more
}: SamplePod = {}): Pod {
  const { claim: claimName = 'data', running = true, terminating = false } = more;
  const state = running ? { running: {} } : { waiting: {} };
  const seen = (container: string) => ({
    name: container,
    image: '',
    imageID: '',
    ready: true,
    restartCount: 0,
    state,
  });
  const volumeMounts = [{ name: 'v', mountPath: '/v' }];
  return {
    metadata: { name, uid: `uid-${name}`, ...(terminating ? { deletionTimestamp: 'now' } : {}) },
    spec: {
      nodeName: node,
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }],
      initContainers: [
        { name: 'prepare', volumeMounts },
        {
          name: 'sidecar',
          restartPolicy: 'Always',
          volumeDevices: [{ name: 'v', devicePath: '/v' }],
        },
      ],
      containers: [{ name: 'db', volumeMounts }, { name: 'metrics' }],
    },
    status: {
      phase,
      containerStatuses: [seen('db'), seen('metrics')],
      initContainerStatuses: [seen('prepare'), seen('sidecar')],
    },
  };
}

const attached = (attacher: string, isOn: boolean, terminating = false): VolumeAttachment => ({
  metadata: { name: 'a', ...(terminating ? { deletionTimestamp: 'now' } : {}) },
  spec: { attacher, nodeName: 'n1', source: { persistentVolumeName: 'pv-data' } },
  status: { attached: isOn },
});

const infos: ExecutionHookInfo[] = [{ executionHookTemplateName: 'db' }];

interface Sample extends Partial<Omit<PlanFacts, 'snapshot'>> {
  readonly spec?: Partial<ApplicationSnapshotSpec>;
}

function planOf({ spec, ...more }: Sample = {}) {
  return planSnapshot({
    snapshot: sampleSnapshot(undefined, { executionHookInfos: infos, ...spec }),
    claims: [claimFacts('data')],
    attachments: [],
    pods: [],
    classes: [fast('one', theDefault)],
    ...more,
  });
}

/** The containers of the first hook, or the reason why there is no plan. */
function aimedAt(sample: Sample): unknown {
  const plan = planOf(sample);
  return 'reason' in plan ? plan.reason : plan.executionHookInfos[0]?.podContainerNamesList;
}

const db0 = [{ podName: 'db-0', containerNames: ['sidecar', 'db'] }];

describe('the hooks of a volume', () => {
  it.each<[string, Sample, unknown]>([
    ['SNAP-CASE23: none if it is not in use', {}, undefined],
    ['SNAP-CASE24: target a running pod that mounts it, unattached', { pods: [samplePod()] }, db0],
    [
      'SNAP-R28: have no target if it is attached and no pod mounts it',
      { attachments: [attached('fast.example', true)] },
      'NoTargets',
    ],
    ['none for another driver', { attachments: [attached('slow.example', true)] }, undefined],
    ['none if it is detached', { attachments: [attached('fast.example', false)] }, undefined],
    [
      'SNAP-CASE25: target a pod while an attachment is terminating',
      { attachments: [attached('fast.example', true, true)], pods: [samplePod()] },
      db0,
    ],
    [
      'SNAP-CASE25: target two pods on two nodes',
      { pods: [samplePod({ name: 'db-1', node: 'n2' }), samplePod()] },
      [...db0, { podName: 'db-1', containerNames: ['sidecar', 'db'] }],
    ],
    ['SNAP-CASE27: skip a succeeded pod', { pods: [samplePod({ phase: 'Succeeded' })] }, undefined],
    ['SNAP-CASE27: skip a failed pod', { pods: [samplePod({ phase: 'Failed' })] }, undefined],
    [
      'SNAP-CASE27: target a terminating pod that runs',
      { pods: [samplePod({ terminating: true })] },
      db0,
    ],
    ['skip an unscheduled pod', { pods: [samplePod({ node: '' })] }, undefined],
    [
      'SNAP-G19: have no target if the containers do not run yet',
      { pods: [samplePod({ running: false })] },
      'NoTargets',
    ],
    ['skip a pod of another claim', { pods: [samplePod({ claim: 'other' })] }, undefined],
  ])('%s', (_, sample, expected) => {
    expect(aimedAt(sample)).toEqual(expected);
  });

  it('match an ephemeral volume by the owner of its claim, not by name alone', () => {
    const pod = samplePod();
    const ephemeral = {
      ...pod,
      spec: {
        ...pod.spec,
        containers: pod.spec?.containers ?? [],
        volumes: [{ name: 'v', ephemeral: {} }],
      },
    };
    const claims = (uid: string): ClaimFacts[] => {
      const facts = claimFacts('db-0-v');
      const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'db-0', uid }];
      return [
        {
          ...facts,
          claim: { ...facts.claim, metadata: { ...facts.claim?.metadata, ownerReferences } },
        },
      ];
    };
    expect(aimedAt({ claims: claims('uid-db-0'), pods: [ephemeral] })).toEqual(db0);
    expect(aimedAt({ claims: claims('another'), pods: [ephemeral] })).toBeUndefined();
  });
});

describe('the targets of a hook (SNAP-R30)', () => {
  const list = [{ podName: 'named', containerNames: ['x'] }];
  const podSelector = { matchLabels: { app: 'db' } };

  it.each<[string, ExecutionHookInfo, ExecutionHookInfo]>([
    ['copy a list', { podContainerNamesList: list }, { podContainerNamesList: list }],
    [
      'SNAP-R4: drop selectors next to a list',
      { podContainerNamesList: list, podSelector },
      { podContainerNamesList: list },
    ],
    ['copy selectors', { podSelector }, { podSelector }],
    ['list the pods that mount the volumes by default', {}, { podContainerNamesList: db0 }],
  ])('%s', (_, info, expected) => {
    const plan = planOf({ spec: { executionHookInfos: [info] }, pods: [samplePod()] });
    expect('reason' in plan ? plan : plan.executionHookInfos).toEqual([expected]);
  });

  it('come from the claims by default, once for claims that say the same', () => {
    const claims = ['data', 'log'].map((name) => claimFacts(name, { infos: [{ podSelector }] }));
    const snapshot = sampleSnapshot();
    const plan = planSnapshot({
      snapshot,
      claims,
      attachments: [],
      pods: [samplePod()],
      classes: [fast('one', theDefault)],
    });
    expect('reason' in plan ? plan : plan.executionHookInfos).toEqual([{ podSelector }]);
    expect('reason' in plan ? plan : plan.executionHookNames).toEqual(['nightly-aaaaaaaa-hook-0']);
  });

  it('fail the plan if a claim names them wrongly', () => {
    const claims = [claimFacts('data', { infosProblem: 'it is no list' })];
    const plan = planSnapshot({
      snapshot: sampleSnapshot(),
      claims,
      attachments: [],
      pods: [],
      classes: [fast('one', theDefault)],
    });
    expect(plan).toEqual({ reason: 'WrongClaimHooks', message: 'it is no list' });
  });
});

describe('planSnapshot', () => {
  const broken = (change: (claim: PersistentVolumeClaim) => PersistentVolumeClaim): Sample => {
    const facts = claimFacts('data');
    return { claims: [{ ...facts, claim: change(facts.claim ?? {}) }] };
  };

  it.each<[string, Sample, string]>([
    ['a missing claim', { claims: [claimFacts('data', { claim: null })] }, 'NoClaim'],
    [
      'a claim that is not bound',
      broken((claim) => ({ ...claim, status: { phase: 'Pending' } })),
      'ClaimNotBound',
    ],
    [
      'a terminating claim',
      broken((claim) => ({ ...claim, metadata: { ...claim.metadata, deletionTimestamp: 'now' } })),
      'ClaimGoing',
    ],
    [
      'a volume of another claim',
      broken((claim) => ({ ...claim, metadata: { ...claim.metadata, uid: 'new' } })),
      'WrongVolume',
    ],
    ['a volume of no claim', { claims: [claimFacts('data', { volume: {} })] }, 'WrongVolume'],
    ['a missing volume', { claims: [claimFacts('data', { volume: null })] }, 'NoVolume'],
    ['no default class', { classes: [fast('one')] }, 'NoDefaultClass'],
    [
      'several default classes',
      { classes: [fast('one', theDefault), fast('two', theDefault)] },
      'SeveralDefaultClasses',
    ],
    ['a missing class', { spec: { volumeSnapshotClassName: 'none' } }, 'NoClass'],
    [
      'a class of another driver',
      {
        spec: { volumeSnapshotClassName: 'slow' },
        classes: [{ ...fast('slow'), driver: 'slow.example' }],
      },
      'WrongDriver',
    ],
    [
      'a class with an unknown cut signal',
      { classes: [fast('one', { ...theDefault, [CUT_SIGNAL]: 'soon' })] },
      'WrongCutSignal',
    ],
    ['a selector without matches', { claims: [] }, 'NoClaims'],
  ])('%s', (_, sample, expected) => {
    const plan = planOf(sample);
    expect('reason' in plan ? plan.reason : plan).toBe(expected);
  });

  it('takes the cut signal of the spec, else of the class (SNAP-CASE31)', () => {
    const classes = [fast('one', { ...theDefault, [CUT_SIGNAL]: 'readyToUse' })];
    const signal = (sample: Sample): unknown => {
      const plan = planOf(sample);
      return 'reason' in plan ? plan : plan.volumes[0]?.cutSignal;
    };
    expect(signal({ classes })).toBe('readyToUse');
    expect(signal({ classes, spec: { cutSignal: 'creationTime' } })).toBe('creationTime');
  });

  it('records the driver and its handle of the volume, by which its content is recognised', () => {
    const plan = planOf();
    const csi = { driver: 'fast.example', volumeHandle: 'handle-data' };
    expect('reason' in plan ? plan : plan.volumes).toMatchObject([csi]);
  });

  it('records no handle of a volume without a CSI driver', () => {
    const volume = { spec: { claimRef: { uid: 'claim-data' } } };
    const plan = planOf({ claims: [claimFacts('data', { volume })] });
    const [planned] = 'reason' in plan ? [] : plan.volumes;
    expect(planned).toMatchObject({ claimName: 'data', snapshotClassName: 'one' });
    expect(planned).not.toHaveProperty('volumeHandle');
  });
});
