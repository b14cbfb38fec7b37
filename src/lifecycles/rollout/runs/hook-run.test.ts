import { describe, expect, it } from 'vitest';

import { hookPod, web } from '../../../../test/fixtures/rollout/hook-pods.ts';
import {
  attempt,
  open,
  request,
  type SampleRun,
  sampleRun,
} from '../../../../test/fixtures/rollout/sample-stage.ts';
import { hasEnded, isPodOf, makeHookRun, podNameOf } from './hook-run.ts';

describe('a HookRun', () => {
  it('records what its stage is to run, and is owned by its lifecycle', () => {
    const run = makeHookRun({ ...request, fromRevision: '3', toRevision: '4' });
    expect(run).toStrictEqual({
      metadata: {
        name: expect.stringMatching(/^web-7-pre-[0-9a-f]{10}$/u) as string,
        namespace: 'shop',
        labels: {
          'lifehook.dev/deployment': 'web',
          'lifehook.dev/deployment-uid': 'uid-web',
          'lifehook.dev/rollout-number': '7',
          'lifehook.dev/stage': 'pre',
        },
        ownerReferences: [
          {
            apiVersion: 'lifehook.dev/v1alpha1',
            kind: 'DeploymentLifecycle',
            name: 'web',
            uid: 'uid-lifecycle',
            controller: true,
            blockOwnerDeletion: false,
          },
        ],
      },
      spec: {
        deploymentName: 'web',
        deploymentUID: 'uid-web',
        lifecycleName: 'web',
        rollout: 7,
        stage: 'pre',
        direction: 'Rollout',
        digest: 'd2',
        fromRevision: '3',
        toRevision: '4',
        hook: request.hook,
        deadlineSeconds: 600,
      },
    });
  });

  it('says nothing of revisions that are not known', () => {
    const { spec } = makeHookRun({ ...request, deployment: web });
    expect(Object.keys(spec)).not.toContain('fromRevision');
    expect(Object.keys(spec)).not.toContain('toRevision');
  });

  it('knows the pods of its attempts by their labels', () => {
    const run = sampleRun();
    const pods = [
      hookPod(),
      hookPod({ attempt: 9 }),
      hookPod({ stage: 'mid' }),
      hookPod({ number: 6 }),
      { metadata: { name: podNameOf(run, 1) } },
    ];
    expect(pods.map((pod) => isPodOf(run, pod))).toEqual([true, true, false, false, false]);
  });
});

describe('an attempt has ended', () => {
  const two = [attempt(4, 'Failed'), open(5)];

  it.each<[string, SampleRun, number, boolean]>([
    ['not before its run has started', {}, 1, false],
    ['not before any attempt is recorded', { status: {} }, 1, false],
    ['when its outcome is recorded', { attempts: two }, 4, true],
    ['not while it is open', { attempts: two }, 5, false],
    ['not before it is recorded', { attempts: two }, 6, false],
    ['when it is not kept any more', { attempts: two }, 3, true],
    ['when its run is settled', { attempts: two, status: { phase: 'Aborted' } }, 5, true],
  ])('%s', (...[, run, number, ended]) => {
    expect(hasEnded(sampleRun(run), number)).toBe(ended);
  });
});
