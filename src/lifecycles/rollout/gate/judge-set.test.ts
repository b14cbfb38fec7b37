import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import { describe, expect, it } from 'vitest';

import { deploymentOf } from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import type { DeploymentLifecycle } from '../kinds.ts';
import { templateDigest } from '../template-digest.ts';
import { belongsTo, judgeSet, mayStartPods } from './judge-set.ts';

type Owner = 'own' | 'none' | 'another';

/**
 * The ReplicaSet of a notation such as `T1 n3` (template T1, 3 replicas), in a namespace with the Deployment of
 * `gate-notation`.
 */
function setOf(
  notation: string,
  owner: Owner = 'own',
  labels: object = { app: 'web' },
): ReplicaSet {
  const { spec } = deploymentOf(notation);
  const { template = {}, replicas = 3 } = spec ?? {};
  const uid = owner === 'own' ? 'u' : 'v';
  const reference = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid };
  return {
    metadata: {
      namespace: 'x',
      name: 'web-made',
      labels: { ...labels },
      ...(owner === 'none' ? {} : { ownerReferences: [{ ...reference, controller: true }] }),
    },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: {
        ...template,
        metadata: { ...template.metadata, labels: { app: 'web', 'pod-template-hash': 'h' } },
      },
    },
  };
}

/** A lifecycle whose released template is that of `T1`. */
function lifecycleOf(template: string, number: number): DeploymentLifecycle {
  const { template: saved = {} } = deploymentOf(template).spec ?? {};
  const released = { number, digest: templateDigest(saved), template: saved };
  return {
    metadata: { namespace: 'x', name: 'web' },
    spec: { deploymentName: 'web' },
    status: { deploymentUID: 'u', released },
  };
}

interface Asked {
  readonly deployment: string | Deployment;
  readonly set: ReplicaSet;
  readonly old?: ReplicaSet;
  readonly lifecycles?: readonly DeploymentLifecycle[];
}

function judged({ deployment, set, old, lifecycles = [lifecycleOf('T1', 4)] }: Asked): string {
  const owner = typeof deployment === 'string' ? deploymentOf(deployment) : deployment;
  const verdict = judgeSet({ set, old: old ?? null }, { deployment: owner, lifecycles });
  return verdict.allowed ? '' : `${verdict.status?.code ?? ''} ${verdict.status?.message ?? ''}`;
}

const GATED = 'label r5 l4 p T2';
const UNRELEASED = /^403 .*"web-made".*not the released one of Deployment "web"/u;

describe('the admission of ReplicaSets', () => {
  it.each<[string, ReplicaSet]>([
    ['owned, of the gated template', setOf('T2')],
    ['to be adopted, of the gated template', setOf('T2', 'none')],
    ['of the gated template, with no replicas yet', setOf('T2 n0')],
    ['of a template that the Deployment never had', setOf('T9')],
  ])('refuses the creation of one that is %s (ROLL-RS1)', (_, set) => {
    expect(judged({ deployment: GATED, set })).toMatch(UNRELEASED);
  });

  it.each<[string, string, ReplicaSet]>([
    ['of the released template while another is gated', GATED, setOf('T1')],
    ['of the present template at rest', 'label r5 l5 T2', setOf('T2')],
    ['of a Deployment that was never stamped', 'label T2', setOf('T2')],
    ['of another owner', GATED, setOf('T2', 'another')],
    ['whose labels the selector does not match', GATED, setOf('T2', 'none', { app: 'api' })],
    ['of a Deployment without the label', 'r5 l4 p T2', setOf('T2')],
  ])('admits the creation of one that is %s', (_, deployment, set) => {
    expect(judged({ deployment, set })).toBe('');
  });

  it('refuses every one while nothing was released, and what no lifecycle says to be released', () => {
    const first = { deployment: 'label r1 l0 p T1', lifecycles: [] };
    expect(judged({ ...first, set: setOf('T1') })).toMatch(UNRELEASED);
    expect(judged({ ...first, set: setOf('T9') })).toMatch(UNRELEASED);
    expect(judged({ deployment: GATED, set: setOf('T1'), lifecycles: [] })).toMatch(UNRELEASED);
  });

  it('refuses the creation of one of another template at rest, and admits a released one', () => {
    const set = setOf('T9');
    expect(judged({ deployment: 'label r4 l4 T1', set })).toMatch(UNRELEASED);
    expect(judged({ deployment: 'label r4 l4 T1', set, lifecycles: [lifecycleOf('T9', 4)] })).toBe(
      '',
    );
    const bare = { metadata: { name: 'web' }, spec: { deploymentName: 'web' } };
    const first = { ...bare, status: { deploymentUID: 'u' } };
    expect(judged({ deployment: 'label r4 l4 T1', set, lifecycles: [first] })).toMatch(UNRELEASED);
    expect(judged({ deployment: 'label r4 l4 T1', set, lifecycles: [bare] })).toMatch(UNRELEASED);
  });

  it('believes no lifecycle that kept an earlier Deployment of this name', () => {
    const { status = {}, ...lifecycle } = lifecycleOf('T2', 4);
    const lifecycles = [{ ...lifecycle, status: { ...status, deploymentUID: 'before' } }];
    expect(judged({ deployment: GATED, set: setOf('T2'), lifecycles })).toMatch(UNRELEASED);
  });

  it.each<[string, ReplicaSet, ReplicaSet]>([
    ['scales up from 0', setOf('T2 n0'), setOf('T2 n1')],
    ['says no replicas, which is 1', setOf('T2 n0'), without(setOf('T2 n0'))],
    ['gives it the gated template', setOf('T1 n2'), setOf('T2 n2')],
    ['makes its labels match', setOf('T2 n0', 'none', { app: 'api' }), setOf('T2 n0', 'none')],
    ['takes it over from another owner', setOf('T2', 'another'), setOf('T2')],
    ['makes the Deployment its owner', setOf('T2', 'none', {}), setOf('T2', 'own', {})],
  ])('refuses an update that %s (ROLL-RS1, ROLL-RS2)', (_, old, set) => {
    expect(judged({ deployment: GATED, set, old })).toMatch(UNRELEASED);
  });

  it.each<[string, ReplicaSet, ReplicaSet]>([
    ['scales down', setOf('T2 n3'), setOf('T2 n1')],
    ['scales up what has pods already', setOf('T0 n1'), setOf('T0 n2')],
    ['scales up the released template from 0', setOf('T1 n0'), setOf('T1 n3')],
    ['changes its annotations', setOf('T2 n0'), annotated(setOf('T2 n0'))],
    ['adopts it', setOf('T2 n0', 'none'), setOf('T2 n0')],
    ['orphans it', setOf('T2 n3', 'another'), setOf('T2 n3', 'none')],
    ['takes it out of the Deployment', setOf('T2'), setOf('T2', 'none', { app: 'api' })],
  ])('admits an update that %s (ROLL-RS2, ROLL-RS4)', (_, old, set) => {
    expect(judged({ deployment: GATED, set, old })).toBe('');
  });

  it('refuses every scale-up while the Deployment is held at 0 replicas, and admits a creation with 0 (ROLL-RS3)', () => {
    const deployment = 'label r5 l4 p n0 w3 T2';
    const held = /^403 .*is held at 0 replicas until rollout 5 is released/u;
    expect(judged({ deployment, old: setOf('T1 n0'), set: setOf('T1 n1') })).toMatch(held);
    expect(judged({ deployment, old: setOf('T1 n1'), set: setOf('T1 n2') })).toMatch(held);
    expect(judged({ deployment, set: setOf('T1 n1') })).toMatch(held);
    expect(judged({ deployment, set: setOf('T1 n0') })).toBe('');
    expect(judged({ deployment, old: setOf('T1 n3'), set: setOf('T1 n0') })).toBe('');
    expect(judged({ deployment, old: setOf('T1 n3'), set: setOf('T1 n1') })).toBe('');
  });
});

describe('a refusal of a ReplicaSet', () => {
  const next =
    'Change the template of the Deployment instead; `lifehook rollout status web -n x` shows its rollout.';

  it.each<[string, string, ReplicaSet, string]>([
    [
      'of a gated template',
      GATED,
      setOf('T2'),
      `its template is not the released one of Deployment "web": rollout 5 waits for its hooks. ${next}`,
    ],
    [
      'of a template at rest that was not released',
      'label r5 l5 T2',
      setOf('T9'),
      `its template is not the released one of Deployment "web". ${next}`,
    ],
    [
      'of a Deployment whose number was taken off',
      'label l4 p T2',
      setOf('T2'),
      `its template is not the released one of Deployment "web": rollout ? waits for its hooks. ${next}`,
    ],
    [
      'while a Deployment is held whose number was taken off',
      'label l4 p n0 T2',
      setOf('T1'),
      'Deployment "web" is held at 0 replicas until rollout ? is released, and so are its ReplicaSets.',
    ],
    [
      'while the Deployment is held',
      'label r5 l4 p n0 w3 T2',
      setOf('T1'),
      'Deployment "web" is held at 0 replicas until rollout 5 is released, and so are its ReplicaSets.',
    ],
  ])('says why and what to do: %s', (...[, deployment, set, why]) => {
    const { status } = judgeSet(
      { set, old: null },
      { deployment: deploymentOf(deployment), lifecycles: [lifecycleOf('T1', 4)] },
    );
    const message = `replicasets.apps "web-made" would start pods without passing Lifehook's gate: ${why}`;
    expect(status).toEqual({ code: 403, reason: 'Forbidden', message });
  });

  it('names what will be its name', () => {
    const { metadata, ...rest } = setOf('T2');
    const { name: _, ...unnamed } = metadata ?? {};
    const set = { ...rest, metadata: { ...unnamed, generateName: 'web-' } };
    expect(judged({ deployment: GATED, set })).toContain('replicasets.apps "web-" would start');
  });
});

describe('mayStartPods', () => {
  it('is true for whatever could be refused, so that nothing else is looked up', () => {
    expect(mayStartPods({ set: setOf('T1'), old: null })).toBe(true);
    expect(mayStartPods({ set: setOf('T1 n2'), old: setOf('T1 n1') })).toBe(true);
    expect(mayStartPods({ set: setOf('T2'), old: setOf('T1') })).toBe(true);
    expect(mayStartPods({ set: setOf('T1'), old: setOf('T1', 'none') })).toBe(true);
    expect(mayStartPods({ set: setOf('T1', 'own', {}), old: setOf('T1') })).toBe(true);
    expect(mayStartPods({ set: annotated(setOf('T1 n1')), old: setOf('T1 n2') })).toBe(false);
    expect(mayStartPods({ set: annotated(setOf('T1 n2')), old: setOf('T1 n2') })).toBe(false);
  });
});

describe('belongsTo', () => {
  it('is false for a ReplicaSet of another namespace', () => {
    const { metadata, ...set } = setOf('T1');
    expect(
      belongsTo({ ...set, metadata: { ...metadata, namespace: 'y' } }, deploymentOf('T1')),
    ).toBe(false);
  });
});

function annotated({ metadata, ...set }: ReplicaSet): ReplicaSet {
  return { ...set, metadata: { ...metadata, annotations: { a: 'b' } } };
}

function without({ spec, ...set }: ReplicaSet): ReplicaSet {
  const { replicas: _, ...rest } = spec ?? { selector: {} };
  return { ...set, spec: rest };
}
