import { describe, expect, test } from 'vitest';

import {
  rollingUpdate,
  released,
  type Case,
  facts,
  settled,
  ran,
  asks,
} from '../../../../test/fixtures/rollout/machine-cases.ts';
import {
  digestOfVersion,
  machineFacts,
  microAgo,
  openRollout,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { samplePod } from '../../../../test/fixtures/rollout/sample-objects.ts';
import { hookPodLabels } from '../hookpod/identity.ts';
import type { HookRun } from '../kinds.ts';
import { decide } from './decide.ts';

describe('a new number', () => {
  const pod = (number: number, going = false): NonNullable<Case['more']> => {
    const identity = {
      deployment: 'web',
      uid: 'uid-web',
      number,
      stage: 'pre',
      attempt: 1,
    } as const;
    return { hookPods: [samplePod({ labels: hookPodLabels(identity), going })] };
  };

  test('is opened with its template and the released one', () => {
    expect(decide(facts({ lifecycle: { rollingUpdate } }))).toMatchObject({
      kind: 'record',
      status: {
        deploymentUID: 'uid-web',
        released,
        rollout: { number: 5, phase: 'Pre', direction: 'Rollout', digest: digestOfVersion('t2') },
      },
      telling: {
        notices: [{ reason: 'RolloutOpened' }],
        observed: [{ type: 'RolloutOpened' }, {}],
      },
    });
  });

  test('records the template that the last rollout released (M1)', () => {
    const last = openRollout('t2', { number: 5, phase: 'Post', releasedAt: microAgo(9) });
    const sample = machineFacts({
      version: 't3',
      annotations: { rollout: '6', released: '5' },
      status: { released, rollout: last },
    });
    expect(decide(sample)).toMatchObject({
      status: { released: { number: 5, digest: digestOfVersion('t2') }, rollout: { number: 6 } },
    });
  });

  test('deletes a hook pod of an older number and waits for it (DH-18)', () => {
    expect(decide(facts({ more: pod(4) }))).toMatchObject(asks('deletePod'));
    expect(decide(facts({ more: pod(4, true) }))).toMatchObject({ kind: 'waitFor' });
  });

  test('first settles an open HookRun of an older number', () => {
    const run = settled('pre', 'Succeeded');
    const open = {
      ...run,
      spec: { ...run.spec, rollout: 4 },
      status: undefined,
    } as unknown as HookRun;
    expect(decide(facts(ran(open)))).toMatchObject(asks('settleRun'));
  });
});
