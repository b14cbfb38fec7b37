import { expect, it } from 'vitest';

import { sampleSnapshot, sampleVolume } from '../../../../test/fixtures/snapshot/app-facts.ts';
import { WINDOW } from '../../../../test/fixtures/snapshot/window-facts.ts';
import { IS_DEFAULT_CLASS } from '../../../kube/snapshots.ts';
import { type PlanFacts, planSnapshot } from './plan.ts';
import { judge } from './verdict.ts';

const facts: PlanFacts = {
  snapshot: sampleSnapshot(undefined, {
    executionHookInfos: [{ executionHookTemplateName: 'db' }],
  }),
  claims: [
    {
      name: 'data',
      claim: { metadata: { name: 'data', uid: 'claim-data' }, status: { phase: 'Bound' } },
      volume: {
        metadata: { name: 'pv-data' },
        spec: {
          claimRef: { uid: 'claim-data' },
          csi: { driver: 'fast.example', volumeHandle: 'handle-data' },
        },
      },
      infos: [],
      infosProblem: null,
    },
  ],
  attachments: [],
  pods: [],
  classes: [
    {
      metadata: { name: 'one', annotations: { [IS_DEFAULT_CLASS]: 'true' } },
      driver: 'fast.example',
      deletionPolicy: 'Delete',
    },
  ],
};

it('plans no hook for volumes that no pod uses (SNAP-R28)', () => {
  expect(planSnapshot(facts)).toMatchObject({ executionHookInfos: [], executionHookNames: [] });
});

it('plans a window without a class, since it creates no snapshot', () => {
  const plan = planSnapshot({
    ...facts,
    snapshot: sampleSnapshot(undefined, { window: WINDOW }),
    classes: [],
  });
  const { volumeSnapshotName: _, volumeSnapshotUID: __, ...volume } = sampleVolume('data');
  expect('reason' in plan ? plan : plan.volumes).toEqual([
    { ...volume, driver: 'fast.example', inUse: false, snapshotClassName: '' },
  ]);
});

it('needs no report of hooks for a verdict on a snapshot that has none, but one of each it has', () => {
  const status = { volumes: [sampleVolume('data', { cut: true })], cutObservedAt: '2026-01-01' };
  const verdict = (names?: string[]): string => {
    const executionHookNames = names === undefined ? {} : { executionHookNames: names };
    return judge({
      status: { ...status, ...executionHookNames },
      mode: 'Single',
      decidedAt: '2026-01-01',
    }).reason;
  };
  expect(verdict(['hook-0'])).toBe('EvidenceMissing');
  expect(verdict()).not.toBe('EvidenceMissing');
});
