/** Which pods use a volume, and which containers a hook freezes (SNAP-R28, SNAP-R30, SNAP-G19, SNAP-G20). */
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.js';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.js';
import { describe, expect, it } from 'vitest';

import { RESCUE_POD } from '../names.ts';
import { containersOf, isInUse } from './usage.ts';

const claim = (name: string, owner?: string): PersistentVolumeClaim => ({
  metadata: {
    name,
    uid: `claim-${name}`,
    ...(owner === undefined
      ? {}
      : {
          ownerReferences: [
            { apiVersion: 'v1', kind: 'K', name: 'first', uid: 'another' },
            { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: owner },
          ],
        }),
  },
  spec: { volumeName: `pv-${name}` },
});

interface Shape {
  readonly labels?: Record<string, string>;
  readonly volumes?: NonNullable<Pod['spec']>['volumes'];
  readonly node?: string;
}

function pod(name: string, { labels, node = 'n1', ...more }: Shape = {}): Pod {
  const volumes = more.volumes ?? [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  const reported = { image: '', imageID: '', ready: true, restartCount: 0 };
  return {
    metadata: { name, uid: `uid-${name}`, ...(labels === undefined ? {} : { labels }) },
    spec: {
      nodeName: node,
      volumes,
      containers: [
        { name: 'db', volumeMounts: [{ name: 'v', mountPath: '/v' }] },
        { name: 'metrics' },
      ],
    },
    status: {
      phase: 'Running',
      containerStatuses: ['db', 'metrics'].map((each) => ({
        name: each,
        ...reported,
        state: { running: {} },
      })),
    },
  };
}

const attachment = (persistentVolumeName: string, attacher = 'fast.example'): VolumeAttachment => ({
  metadata: { name: 'a' },
  spec: { attacher, nodeName: 'n1', source: { persistentVolumeName } },
  status: { attached: true },
});

describe('a volume', () => {
  const used = (attachments: VolumeAttachment[], driver?: string): boolean =>
    isInUse({ claim: claim('data'), attachments, pods: [], driver });

  it('is in use while its PersistentVolume is attached, and not while another is', () => {
    expect(used([attachment('pv-data')], 'fast.example')).toBe(true);
    expect(used([attachment('pv-log')], 'fast.example')).toBe(false);
  });

  it('is in use while it is attached by any driver, where its own is not known', () => {
    expect(used([attachment('pv-data', 'other.example')])).toBe(true);
    expect(used([attachment('pv-data', 'other.example')], 'fast.example')).toBe(false);
  });

  it('is not in use by a pod that has no node yet', () => {
    const { spec, ...unscheduled } = pod('b');
    const { nodeName: _, ...nowhere } = spec ?? { containers: [] };
    const pods = [pod('a', { node: '' }), { ...unscheduled, spec: nowhere }];
    expect(isInUse({ claim: claim('data'), attachments: [], pods })).toBe(false);
  });

  it('is not in use by an attachment that has only been asked for', () => {
    const { status: _, ...asked } = attachment('pv-data');
    expect(used([asked], 'fast.example')).toBe(false);
  });
});

describe('the containers of a hook', () => {
  const db = ['db'];

  it('are those that mount the volume, by pod name', () => {
    const pods = [pod('b'), pod('c'), pod('a')];
    expect(containersOf([claim('data')], pods)).toEqual([
      { podName: 'a', containerNames: db },
      { podName: 'b', containerNames: db },
      { podName: 'c', containerNames: db },
    ]);
  });

  it('are not those of a rescue pod', () => {
    const pods = [pod('a'), pod('rescue', { labels: { [RESCUE_POD]: 'h' } })];
    expect(containersOf([claim('data')], pods)).toEqual([{ podName: 'a', containerNames: db }]);
    const labelled = pod('a', { labels: { app: 'db' } });
    expect(containersOf([claim('data')], [labelled])).toHaveLength(1);
  });

  it('are not those without a state, which have not started yet', () => {
    const { status, ...scheduled } = pod('a');
    const starting = { name: 'db', image: '', imageID: '', ready: false, restartCount: 0 };
    const pods = [{ ...scheduled, status: { ...status, containerStatuses: [starting] } }];
    expect(containersOf([claim('data')], pods)).toEqual([]);
  });

  it('are not those that mount something else, such as a directory of the node', () => {
    const volumes = [{ name: 'v', hostPath: { path: '/tmp' } }];
    expect(containersOf([claim('data')], [pod('a', { volumes })])).toEqual([]);
  });

  it('mount an ephemeral volume by the claim of its pod, and no other', () => {
    const volumes = [{ name: 'v', ephemeral: {} }];
    const pods = [pod('a', { volumes })];
    expect(containersOf([claim('a-v', 'uid-a')], pods)).toHaveLength(1);
    expect(containersOf([claim('a-v', 'uid-b')], pods)).toEqual([]);
    expect(containersOf([claim('a-w', 'uid-a')], pods)).toEqual([]);
  });
});
