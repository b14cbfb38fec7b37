import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { describe, expect, it } from 'vitest';

import {
  deploymentOf,
  notationOf,
  patched,
} from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import type { AdmissionRequest, Verdict } from '../../../controller/admission/admission-review.ts';
import type { JsonObject } from '../../../kube/object.ts';
import { WRITE_PROOF } from '../names.ts';
import { GATE_PATHS } from './gate-configurations.ts';
import { gateRoutes } from './gate-routes.ts';
import type { PatchOperation } from './gated-fields.ts';
import type { GateLookups } from './lookups.ts';
import { isProvenWith, proveWith } from './write-proof.ts';

const KEY = 'k'.repeat(32);

class Known implements GateLookups {
  asked: string[] = [];
  found: Deployment | null = null;
  named: boolean | null = null;

  async deployment({ name }: { name: string }): Promise<Deployment | null> {
    this.asked.push(`deployment ${name}`);
    return this.found;
  }

  async gatedDeployment({ name }: { name: string }): Promise<Deployment | null> {
    this.asked.push(`gated ${name}`);
    return this.found;
  }

  async isNamed({ name }: { name: string }): Promise<boolean | null> {
    this.asked.push(`named ${name}`);
    return this.named;
  }
}

async function ask(
  path: string,
  request: Partial<AdmissionRequest>,
  lookups: Known = new Known(),
): Promise<Verdict> {
  const judge = gateRoutes({ isProven: isProvenWith(KEY), lookups })[path];
  if (judge === undefined) throw new Error(path);
  const kind = { group: 'apps', kind: 'Deployment' };
  const whole = { uid: '1', kind, namespace: 'x', name: 'web', operation: 'UPDATE', object: null };
  return judge({ ...whole, ...request }, new AbortController().signal);
}

const json = (notation: string): JsonObject => deploymentOf(notation) as unknown as JsonObject;
const update = (oldObject: string, object: string): Partial<AdmissionRequest> => ({
  oldObject: json(oldObject),
  object: json(object),
});
const scaleTo = (replicas: number): Partial<AdmissionRequest> => ({
  kind: { group: 'autoscaling', kind: 'Scale' },
  subResource: 'scale',
  object: { spec: { replicas } },
});

describe('the webhooks of the gate', () => {
  it('stamp a changed template, and refuse one that is stored without a stamp', async () => {
    const request = update('label r4 l4 T1', 'label r4 l4 T2');
    const { patch = [], allowed } = await ask(GATE_PATHS.mutate, request);
    const stored = patched(deploymentOf('label r4 l4 T2'), patch as readonly PatchOperation[]);
    expect([allowed, notationOf(stored)]).toEqual([true, 'label r5 l4 p n3 T2']);
    expect((await ask(GATE_PATHS.validate, request)).allowed).toBe(false);
  });

  it('store a write unchanged only if its proof names the revision that it replaces', async () => {
    const proof = proveWith(KEY)({ uid: 'u', resourceVersion: '7' });
    const proven = update('label r5 l4 p T2', `label r5 l5 T2 ${WRITE_PROOF}=${proof}`);
    expect(await ask(GATE_PATHS.mutate, proven)).toEqual({
      allowed: true,
      patch: [],
      warnings: [],
    });
    const stale = proveWith(KEY)({ uid: 'u', resourceVersion: '6' });
    const other = update('label r5 l4 p T2', `label r5 l5 T2 ${WRITE_PROOF}=${stale}`);
    expect((await ask(GATE_PATHS.mutate, other)).patch).not.toEqual([]);
  });

  it('look up a lifecycle only for a Deployment without the label', async () => {
    const lookups = new Known();
    await ask(GATE_PATHS.mutate, update('label r4 l4 T1', 'label r4 l4 T2'), lookups);
    await ask(GATE_PATHS.mutate, { operation: 'CREATE', object: json('label') }, lookups);
    expect(lookups.asked).toEqual([]);
    lookups.named = true;
    const { patch } = await ask(GATE_PATHS.mutate, { object: json('T1') }, lookups);
    expect([lookups.asked, patch?.length]).toEqual([['named web'], 3]);
  });

  it('read the Deployment of a scale request, except when it scales to zero', async () => {
    const lookups = new Known();
    lookups.found = deploymentOf('label r5 l4 p n0 w3');
    expect((await ask(GATE_PATHS.scale, scaleTo(5), lookups)).status?.code).toBe(403);
    expect(lookups.asked).toEqual(['gated web']);
    expect((await ask(GATE_PATHS.scale, scaleTo(0), lookups)).allowed).toBe(true);
    expect(lookups.asked).toHaveLength(1);
  });

  it('check a DeploymentLifecycle against its Deployment if that exists', async () => {
    const lookups = new Known();
    lookups.found = deploymentOf('T1');
    const pre = { execNewPod: { containerName: 'mian', command: ['true'] } };
    const spec = { deploymentName: 'web', rollingUpdate: { pre } };
    const kind = { group: 'lifehook.dev', kind: 'DeploymentLifecycle' };
    const request = { kind, operation: 'CREATE', object: { metadata: { name: 'a' }, spec } };
    const { status } = await ask(GATE_PATHS.kinds, request, lookups);
    expect(status?.details?.causes[0]?.field).toContain('containerName');
    expect(lookups.asked).toEqual(['deployment web']);
    lookups.found = null;
    expect((await ask(GATE_PATHS.kinds, request, lookups)).allowed).toBe(true);
  });

  it.each([
    ['a deletion', { operation: 'DELETE', oldObject: json('label r4 l4'), object: null }],
    ['a status', { ...update('label r4 l4 T1', 'label r4 l4 T2'), subResource: 'status' }],
    ['another kind', { ...update('label T1', 'label T2'), kind: { group: '', kind: 'Pod' } }],
  ])('allow %s without a patch', async (_, request) => {
    expect(await ask(GATE_PATHS.mutate, request)).toEqual({ allowed: true });
    expect(await ask(GATE_PATHS.validate, request)).toEqual({ allowed: true });
  });
});
