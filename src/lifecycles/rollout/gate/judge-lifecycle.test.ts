import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { describe, expect, it } from 'vitest';

import { deploymentOf } from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import type { AdmissionRequest } from '../../../controller/admission/admission-review.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { DeploymentLifecycle, DeploymentLifecycleSpec } from '../kinds.ts';
import { judgeDeployment, judgeLifecycle, judgeScale, needsIncumbent } from './judge.ts';

const pre = (containerName: string): Partial<DeploymentLifecycleSpec> => ({
  rollingUpdate: { pre: { execNewPod: { containerName, command: ['true'] } } },
});
const RELEASE = { onDelete: 'Release' } as const;

function lifecycleOf(
  spec: Partial<DeploymentLifecycleSpec> = {},
  name = 'web',
): DeploymentLifecycle {
  return {
    apiVersion: 'lifehook.dev/v1alpha1',
    kind: 'DeploymentLifecycle',
    metadata: { namespace: 'x', name },
    spec: { deploymentName: 'web', ...pre('main'), ...spec },
  };
}

interface Asked {
  readonly before?: DeploymentLifecycle;
  readonly after?: DeploymentLifecycle;
  readonly deployment?: Deployment | null;
  readonly incumbent?: DeploymentLifecycle | null;
}

function requestOf({ before, after }: Asked): AdmissionRequest {
  const json = (one: DeploymentLifecycle | undefined): JsonObject | null =>
    (one ?? null) as unknown as JsonObject | null;
  const kind = { group: 'lifehook.dev', kind: 'DeploymentLifecycle' };
  const request = { uid: '1', kind, namespace: 'x', name: 'web', operation: 'UPDATE' };
  return { ...request, object: json(after), oldObject: json(before) };
}

/** The warnings of an admitted lifecycle, or the message of its rejection. */
function judged(asked: Asked): readonly string[] {
  const { deployment = deploymentOf('label r4 l4'), incumbent = null } = asked;
  const verdict = judgeLifecycle(requestOf(asked), { deployment, incumbent });
  if (verdict.allowed) return verdict.warnings ?? [];
  return [`${verdict.status?.code ?? ''}: ${verdict.status?.message ?? ''}`];
}

describe('the admission of a lifecycle', () => {
  const web = lifecycleOf(pre('main'));
  const unknown = lifecycleOf(pre('mian'));

  it('admits valid hooks, also before their Deployment is there', () => {
    expect(judged({ after: lifecycleOf() })).toEqual([]);
    expect(judged({ after: unknown, deployment: null })).toEqual([]);
  });

  it('refuses what is wrong by itself with or without a Deployment (ROLL-C9)', () => {
    const post = { failurePolicy: 'Abort', execNewPod: { containerName: 'main' } } as const;
    const after = lifecycleOf({ rollingUpdate: { post } });
    for (const deployment of [null, deploymentOf('label r4 l4')]) {
      const [refusal = ''] = judged({ after, deployment });
      expect(refusal).toMatch(/^422: .*rollingUpdate\.post\.failurePolicy/u);
      expect(refusal).not.toContain('has no such container');
    }
  });

  it('refuses an unknown container (ROLL-C25)', () => {
    expect(judged({ after: unknown })[0]).toMatch(/^422: .*"mian".*has no such container/u);
    expect(judged({ before: web, after: unknown })[0]).toMatch(/has no such container/u);
  });

  it('admits a hook with arguments alone, and warns of one that runs what its container runs', () => {
    const hookOf = (more: object): DeploymentLifecycle =>
      lifecycleOf({ rollingUpdate: { pre: { execNewPod: { containerName: 'main', ...more } } } });
    expect(judged({ after: hookOf({ args: ['--once'] }) })).toEqual([]);
    expect(judged({ after: hookOf({}) })).toEqual([
      'spec.rollingUpdate.pre.execNewPod: without a command the hook runs the command of the container, which must exit by itself',
    ]);
  });

  it('refuses another Deployment for the same lifecycle', () => {
    const after = lifecycleOf({ deploymentName: 'api' });
    expect(judged({ before: web, after })[0]).toMatch(/^422: .*deploymentName/u);
    expect(judged({ after })).toEqual([]);
  });

  it('judges nothing of a spec that stays, so that a finalizer can be removed', () => {
    const post = { failurePolicy: 'Abort', execNewPod: { containerName: 'main' } } as const;
    const invalid = lifecycleOf({ rollingUpdate: { post } });
    const after = { ...invalid, metadata: { ...invalid.metadata, finalizers: [] } };
    expect(judged({ before: invalid, after })).toEqual([]);
  });

  it('refuses no change of anything else for hooks that the template has left behind', () => {
    const after = { ...unknown, spec: { ...unknown.spec, podsKept: { failed: 5 } } };
    expect(judged({ before: unknown, after })).toEqual([]);
    const recreate = { pre: { execNewPod: { containerName: 'gone', command: ['true'] } } };
    const both = lifecycleOf({ ...pre('mian'), recreate });
    expect(judged({ before: unknown, after: both })[0]).toMatch(/has no such container/u);
    expect(judged({ before: both, after: unknown })[0]).toMatch(/has no such container/u);
  });
});

describe('a lifecycle next to an older one of the same Deployment', () => {
  const rival =
    'the DeploymentLifecycle "older" is older and names the same Deployment: no hook of this one runs as long as that one exists';
  const older = lifecycleOf({}, 'older');
  const terminating = { ...older, metadata: { ...older.metadata, deletionTimestamp: 'now' } };

  it.each<[string, Asked, readonly string[]]>([
    ['is warned of when it is created', { after: lifecycleOf(), incumbent: older }, [rival]],
    [
      'is no reason for a warning when it is itself the keeper',
      { after: older, incumbent: older },
      [],
    ],
    [
      'is no reason for a warning while the older one is deleted',
      { after: lifecycleOf(), incumbent: terminating },
      [],
    ],
    [
      'is no reason for a warning when it is changed',
      { before: lifecycleOf(), after: lifecycleOf(), incumbent: older },
      [],
    ],
  ])('%s', (...[, asked, warnings]) => {
    expect(judged(asked)).toEqual(warnings);
  });

  it('is looked for at a creation, a deletion, and where Release is set', () => {
    const matters = (asked: Asked): boolean => needsIncumbent(requestOf(asked));
    const released = lifecycleOf(RELEASE);
    expect([
      matters({ after: lifecycleOf() }),
      matters({ before: lifecycleOf() }),
      matters({ before: lifecycleOf(), after: released }),
    ]).toEqual([true, true, true]);
    expect([
      matters({ before: lifecycleOf(), after: lifecycleOf() }),
      matters({ before: released, after: released }),
      matters({ before: released, after: lifecycleOf() }),
    ]).toEqual([false, false, false]);
  });
});

describe('the deletion of a lifecycle', () => {
  const held = deploymentOf('label r5 l0 p');
  const warning = /^when this DeploymentLifecycle is deleted, rollout 5 .* stays paused/u;

  it('is admitted with what becomes of the held template (ROLL-D1)', () => {
    const verdict = judgeLifecycle(requestOf({ before: lifecycleOf() }), {
      deployment: held,
      incumbent: lifecycleOf(),
    });
    expect(verdict.allowed).toBe(true);
    expect(verdict.warnings).toEqual([expect.stringMatching(warning)]);
  });

  it.each<[string, Asked]>([
    ['nothing is held', { before: lifecycleOf() }],
    [
      'another lifecycle keeps the Deployment',
      { before: lifecycleOf(), deployment: held, incumbent: lifecycleOf({}, 'older') },
    ],
    ['there is no Deployment', { before: lifecycleOf(), deployment: null }],
    ['nobody knows what is deleted', { deployment: held }],
  ])('needs no warning if %s', (_, asked) => {
    expect(judged(asked)).toEqual([]);
  });

  it('is warned of where Release is set, and not when it stays set or is taken back', () => {
    const [plain, released] = [lifecycleOf(), lifecycleOf(RELEASE)];
    const over = { deployment: held, incumbent: null };
    const starts = /^when this DeploymentLifecycle is deleted, .* starts without its hooks/u;
    expect(judged({ ...over, after: released })).toEqual([expect.stringMatching(starts) as string]);
    expect(judged({ ...over, before: plain, after: released })).toHaveLength(1);
    expect(judged({ ...over, before: released, after: released })).toEqual([]);
    expect(judged({ ...over, before: released, after: plain })).toEqual([]);
    expect(judged({ ...over, after: plain })).toEqual([]);
  });
});

describe('a refusal of the validating webhook', () => {
  it('lists all that is missing, and how to find the cause (ROLL-E17)', () => {
    const [old, object] = ['label r4 l4 T1', 'T2'].map(deploymentOf);
    const input = { object: object ?? {}, old: old ?? {}, isProven: false, isNamed: null };
    expect(judgeDeployment(input).status?.message).toBe(
      "Lifehook's gate guards this Deployment, and this write lacks changes that the gate made: " +
        'the label lifehook.dev/gated, the annotations lifehook.dev/rollout=5 lifehook.dev/released=4 no lifehook.dev/wanted-replicas, spec.paused: true. ' +
        'Either another admission webhook changed that after Lifehook, or Lifehook is missing from the mutating webhooks: `lifehook rollout check` shows which.',
    );
  });

  it('of a scale says 0 where no count is wanted', () => {
    const { status } = judgeScale({ replicas: 5, deployment: deploymentOf('label r5 l4 p n0') });
    expect(status?.message).toContain('until rollout 5 is released, and then gets 0');
  });
});
