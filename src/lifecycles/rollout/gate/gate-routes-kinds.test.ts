import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { describe, expect, it } from 'vitest';

import { deploymentOf } from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import type { AdmissionRequest, Verdict } from '../../../controller/admission/admission-review.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { JsonObject } from '../../../kube/object.ts';
import { deployments } from '../../../kube/resources.ts';
import { isAuthoredWith, proveAuthorWith } from './review-authors.ts';
import { GATE_PATHS } from './gate-configurations.ts';
import { gateRoutes } from './gate-routes.ts';
import { gateLookups } from './lookups.ts';
import { isProvenWith } from './write-proof.ts';

const KEY = 'k'.repeat(32);
const LIFECYCLE = { group: 'lifehook.dev', kind: 'DeploymentLifecycle' };

interface Asked {
  readonly verdict: Verdict;
  /** The reads that were sent to the server. */
  readonly reads: readonly string[];
}

/** Sends a request to the gate. The server has this Deployment, and no lifecycle. */
async function ask(
  path: string,
  request: Partial<AdmissionRequest>,
  { found = null, reason = null }: { found?: Deployment | null; reason?: string | null } = {},
): Promise<Asked> {
  const reads: string[] = [];
  const part: Pick<KubeClient, 'get' | 'list'> = {
    get: async (_, { name }) => {
      reads.push(`get ${name}`);
      if (found === null) throw new Error('there is none');
      return found as never;
    },
    list: async ({ plural }) => {
      reads.push(`list ${plural}`);
      const items = plural === deployments.plural && found !== null ? [found] : [];
      return { items, resourceVersion: '1' } as never;
    },
  };
  const lookups = gateLookups({ client: part as KubeClient });
  const authors = {
    ask: async () => reason,
    proveAuthor: proveAuthorWith(KEY),
    isAuthored: isAuthoredWith(KEY),
  };
  const route = gateRoutes({ isProven: isProvenWith(KEY), lookups, authors })[path];
  const whole = { uid: '1', kind: LIFECYCLE, namespace: 'x', name: 'a', operation: 'UPDATE' };
  const userInfo = { username: 'dev' };
  const asked = { ...whole, object: null, userInfo, ...request };
  const verdict = await route?.(asked, new AbortController().signal);
  return { verdict: verdict ?? { allowed: false }, reads };
}

const lifecycleOf = (spec: object, annotations: object = {}): JsonObject =>
  ({ metadata: { name: 'a', annotations }, spec }) as unknown as JsonObject;
const pre = { execNewPod: { containerName: 'main', command: ['true'] } };
const valid = { deploymentName: 'web', rollingUpdate: { pre } };

describe('the webhook of the kinds', () => {
  it.each<[string, Partial<AdmissionRequest>]>([
    ['a HookRun', { kind: { group: 'lifehook.dev', kind: 'HookRun' }, object: {} }],
    ['a status', { object: lifecycleOf(valid), subResource: 'status' }],
    ['no object', {}],
  ])('reads nothing for %s, and admits it', async (_, request) => {
    const { verdict, reads } = await ask(GATE_PATHS.kinds, request);
    expect([verdict, reads]).toEqual([{ allowed: true }, []]);
  });

  it.each([
    ['no name', { rollingUpdate: { pre } }],
    ['an empty name', { ...valid, deploymentName: '' }],
    ['a number for a name', { ...valid, deploymentName: 7 }],
  ])('reads nothing for a lifecycle with %s of a Deployment, and refuses it', async (_, spec) => {
    const { verdict, reads } = await ask(GATE_PATHS.kinds, { object: lifecycleOf(spec) });
    expect([verdict.allowed, reads]).toEqual([false, []]);
  });

  it('looks for the keeper only where it matters, and where there is a Deployment', async () => {
    const found = deploymentOf('label r4 l4');
    const created = { object: lifecycleOf(valid) };
    const changed = { object: lifecycleOf(valid, { a: 'b' }), oldObject: lifecycleOf(valid) };
    const readsFor = async (...given: Parameters<typeof ask>): Promise<readonly string[]> =>
      (await ask(...given)).reads;
    expect(await readsFor(GATE_PATHS.kinds, created, { found })).toEqual([
      'get web',
      'list deploymentlifecycles',
    ]);
    expect(await readsFor(GATE_PATHS.kinds, created)).toEqual(['get web']);
    expect(await readsFor(GATE_PATHS.kinds, changed, { found })).toEqual(['get web']);
  });
});

describe('the webhooks of the authors', () => {
  it('refuse the creation and the change of hooks without the right to create pods', async () => {
    const created = { operation: 'CREATE', object: lifecycleOf(valid) };
    const other = { ...valid, podsKept: { failed: 5 } };
    const changed = { object: lifecycleOf(other), oldObject: lifecycleOf(valid) };
    for (const [path, request] of [
      [GATE_PATHS.authors, created],
      [GATE_PATHS.changes, changed],
    ] as const) {
      const refused = await ask(path, request, { reason: 'no role' });
      expect(refused.verdict.status?.code).toBe(403);
      expect((await ask(path, request)).verdict.allowed).toBe(true);
    }
  });
});

it('the scale of a ReplicaSet that cannot be read is admitted', async () => {
  const kind = { group: 'autoscaling', kind: 'Scale' };
  const request = { kind, subResource: 'scale', object: { spec: { replicas: 5 } } };
  const { verdict, reads } = await ask(GATE_PATHS.sets, request);
  expect([verdict, reads]).toEqual([{ allowed: true }, ['get a']]);
});

it('a Deployment that has no label and had none is of no interest to the gate', async () => {
  const [oldObject, object] = ['T1', 'T2'].map(
    (notation) => deploymentOf(notation) as unknown as JsonObject,
  );
  const kind = { group: 'apps', kind: 'Deployment' };
  const request = { kind, object: object ?? null, oldObject: oldObject ?? null };
  const { verdict, reads } = await ask(GATE_PATHS.mutate, request);
  expect([verdict.patch, reads]).toEqual([[], []]);
});
