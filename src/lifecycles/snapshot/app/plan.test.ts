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
  readonly going?: boolean;
}

function samplePod({
  name = 'db-0',
  phase = 'Running',
  node = 'n1',
  ...more
}: SamplePod = {}): Pod {
  const { claim: claimName = 'data', running = true, going = false } = more;
  const state = running ? { running: {} } : { waiting: {} };
  const told = (container: string) => ({
    name: container,
    image: '',
    imageID: '',
    ready: true,
    restartCount: 0,
    state,
  });
  const volumeMounts = [{ name: 'v', mountPath: '/v' }];
  return {
    metadata: { name, uid: `uid-${name}`, ...(going ? { deletionTimestamp: 'now' } : {}) },
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
      containerStatuses: [told('db'), told('metrics')],
      initContainerStatuses: [told('prepare'), told('sidecar')],
    },
  };
}

const attached = (attacher: string, isAttached: boolean, going = false): VolumeAttachment => ({
  metadata: { name: 'a', ...(going ? { deletionTimestamp: 'now' } : {}) },
  spec: { attacher, nodeName: 'n1', source: { persistentVolumeName: 'pv-data' } },
  status: { attached: isAttached },
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
    groupSnapshots: true,
    ...more,
  });
}

/** Who the first hook is for, or why there is no plan. */
function aimedAt(sample: Sample): unknown {
  const plan = planOf(sample);
  return 'reason' in plan ? plan.reason : plan.executionHookInfos[0]?.podContainerNamesList;
}

const db0 = [{ podName: 'db-0', containerNames: ['sidecar', 'db'] }];

describe('whether a volume is in use', () => {
  it.each<[string, Sample, unknown]>([
    ['case 23: nobody has it: no hooks', {}, undefined],
    ['case 24: a running pod mounts it, and nothing is attached', { pods: [samplePod()] }, db0],
    [
      'R28: attached, and nobody mounts it: nothing to freeze in',
      { attachments: [attached('fast.example', true)] },
      'NoTargets',
    ],
    ['attached by another driver', { attachments: [attached('slow.example', true)] }, undefined],
    ['attached no more', { attachments: [attached('fast.example', false)] }, undefined],
    [
      'case 25: one attachment of two is being detached',
      { attachments: [attached('fast.example', true, true)], pods: [samplePod()] },
      db0,
    ],
    [
      'case 25: two pods on two nodes',
      { pods: [samplePod({ name: 'db-1', node: 'n2' }), samplePod()] },
      [...db0, { podName: 'db-1', containerNames: ['sidecar', 'db'] }],
    ],
    ['case 27: a pod that has succeeded', { pods: [samplePod({ phase: 'Succeeded' })] }, undefined],
    ['case 27: a pod that has failed', { pods: [samplePod({ phase: 'Failed' })] }, undefined],
    ['case 27: a pod that goes and still runs', { pods: [samplePod({ going: true })] }, db0],
    ['a pod that no node has taken', { pods: [samplePod({ node: '' })] }, undefined],
    [
      'G19: a pod whose containers do not run yet',
      { pods: [samplePod({ running: false })] },
      'NoTargets',
    ],
    ['a pod of another claim', { pods: [samplePod({ claim: 'other' })] }, undefined],
  ])('%s', (_, sample, expected) => {
    expect(aimedAt(sample)).toEqual(expected);
  });

  it('knows the claim of an ephemeral volume by its owner, not by its name alone', () => {
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

describe('whom a hook is for (R30)', () => {
  const list = [{ podName: 'named', containerNames: ['x'] }];
  const podSelector = { matchLabels: { app: 'db' } };

  it.each<[string, ExecutionHookInfo, ExecutionHookInfo]>([
    ['a list is copied', { podContainerNamesList: list }, { podContainerNamesList: list }],
    [
      'R4: and selectors beside it are not',
      { podContainerNamesList: list, podSelector },
      { podContainerNamesList: list },
    ],
    ['selectors are copied', { podSelector }, { podSelector }],
    ['neither: whoever mounts the volumes', {}, { podContainerNamesList: db0 }],
  ])('%s', (_, info, expected) => {
    const plan = planOf({ spec: { executionHookInfos: [info] }, pods: [samplePod()] });
    expect('reason' in plan ? plan : plan.executionHookInfos).toEqual([expected]);
  });

  it('is told by the claims where the spec says nothing, once for several that say the same', () => {
    const claims = ['data', 'log'].map((name) => claimFacts(name, { infos: [{ podSelector }] }));
    const snapshot = sampleSnapshot();
    const plan = planSnapshot({
      snapshot,
      claims,
      attachments: [],
      pods: [samplePod()],
      classes: [fast('one', theDefault)],
      groupSnapshots: true,
    });
    expect('reason' in plan ? plan : plan.executionHookInfos).toEqual([{ podSelector }]);
    expect('reason' in plan ? plan : plan.executionHookNames).toEqual(['nightly-aaaaaaaa-hook-0']);
  });

  it('is refused where a claim says it wrongly', () => {
    const claims = [claimFacts('data', { infosProblem: 'it is no list' })];
    const plan = planSnapshot({
      snapshot: sampleSnapshot(),
      claims,
      attachments: [],
      pods: [],
      classes: [fast('one', theDefault)],
      groupSnapshots: true,
    });
    expect(plan).toEqual({ reason: 'WrongClaimHooks', message: 'it is no list' });
  });
});

describe('what there is no plan for (section 5)', () => {
  const broken = (change: (claim: PersistentVolumeClaim) => PersistentVolumeClaim): Sample => {
    const facts = claimFacts('data');
    return { claims: [{ ...facts, claim: change(facts.claim ?? {}) }] };
  };

  it.each<[string, Sample, string]>([
    ['a claim that is not there', { claims: [claimFacts('data', { claim: null })] }, 'NoClaim'],
    [
      'a claim that is not bound',
      broken((claim) => ({ ...claim, status: { phase: 'Pending' } })),
      'ClaimNotBound',
    ],
    [
      'a claim that goes',
      broken((claim) => ({ ...claim, metadata: { ...claim.metadata, deletionTimestamp: 'now' } })),
      'ClaimGoing',
    ],
    [
      'a volume of another claim',
      broken((claim) => ({ ...claim, metadata: { ...claim.metadata, uid: 'new' } })),
      'WrongVolume',
    ],
    ['a volume that is not there', { claims: [claimFacts('data', { volume: null })] }, 'NoVolume'],
    ['no default class', { classes: [fast('one')] }, 'NoDefaultClass'],
    [
      'several default classes',
      { classes: [fast('one', theDefault), fast('two', theDefault)] },
      'SeveralDefaultClasses',
    ],
    ['a class that is not there', { spec: { volumeSnapshotClassName: 'none' } }, 'NoClass'],
    [
      'a class of another driver',
      {
        spec: { volumeSnapshotClassName: 'slow' },
        classes: [{ ...fast('slow'), driver: 'slow.example' }],
      },
      'WrongDriver',
    ],
    [
      'a class whose cut signal is none',
      { classes: [fast('one', { ...theDefault, [CUT_SIGNAL]: 'soon' })] },
      'WrongCutSignal',
    ],
    ['a selector that finds nothing', { claims: [] }, 'NoClaims'],
    [
      'a group where the server has no groups',
      { spec: { mode: 'Group' }, groupSnapshots: false },
      'NoGroupSnapshots',
    ],
  ])('%s', (_, sample, expected) => {
    const plan = planOf(sample);
    expect('reason' in plan ? plan.reason : plan).toBe(expected);
  });

  it('takes the signal of the cut from the class, and from the spec before it (case 31)', () => {
    const classes = [fast('one', { ...theDefault, [CUT_SIGNAL]: 'readyToUse' })];
    const signal = (sample: Sample): unknown => {
      const plan = planOf(sample);
      return 'reason' in plan ? plan : plan.volumes[0]?.cutSignal;
    };
    expect(signal({ classes })).toBe('readyToUse');
    expect(signal({ classes, spec: { cutSignal: 'creationTime' } })).toBe('creationTime');
  });
});
