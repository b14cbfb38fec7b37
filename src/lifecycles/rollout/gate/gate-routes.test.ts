import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import { describe, expect, it } from 'vitest';

import {
  deploymentOf,
  notationOf,
  patched,
} from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import type { AdmissionRequest, Verdict } from '../../../controller/admission/admission-review.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { DeploymentLifecycle } from '../kinds.ts';
import { WRITE_PROOF } from '../names.ts';
import { templateDigest } from '../template-digest.ts';
import { isAuthoredWith, proveAuthorWith } from './review-authors.ts';
import { GATE_PATHS } from './gate-configurations.ts';
import { gateRoutes } from './gate-routes.ts';
import type { PatchOperation } from './gated-fields.ts';
import type { GatedOwner } from './judge-set.ts';
import type { GateLookups } from './lookups.ts';
import { isProvenWith, proveWith } from './write-proof.ts';

const KEY = 'k'.repeat(32);

class Known implements GateLookups {
  asked: string[] = [];
  found: Deployment | null = null;
  named: boolean | null = null;
  set: ReplicaSet | null = null;
  keeping: DeploymentLifecycle | null = null;

  async incumbent({ name }: { name: string }): Promise<DeploymentLifecycle | null> {
    this.asked.push(`keeper ${name}`);
    return this.keeping;
  }

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

  async replicaSet({ name }: { name: string }): Promise<ReplicaSet | null> {
    this.asked.push(`set ${name}`);
    return this.set;
  }

  async gatedOwners({ metadata }: ReplicaSet): Promise<readonly GatedOwner[]> {
    this.asked.push(`owners ${metadata?.name ?? ''}`);
    return this.found === null ? [] : [{ deployment: this.found, lifecycles: [] }];
  }
}

async function ask(
  path: string,
  request: Partial<AdmissionRequest>,
  lookups: Known = new Known(),
): Promise<Verdict> {
  const authors = {
    ask: async () => null,
    proveAuthor: proveAuthorWith(KEY),
    isAuthored: isAuthoredWith(KEY),
  };
  const judge = gateRoutes({ isProven: isProvenWith(KEY), lookups, authors })[path];
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
/** A ReplicaSet that the Deployment in this notation would adopt. */
function setOf(notation: string): ReplicaSet {
  const { metadata, spec = { selector: {}, template: {} } } = deploymentOf(notation);
  const { replicas = 1, selector, template } = spec;
  const { namespace = '', name = '' } = metadata ?? {};
  return {
    metadata: { namespace, name, labels: { app: 'web' } },
    spec: { replicas, selector, template },
  };
}
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

  it('store a write unchanged only if its proof names what it replaces and what it stores', async () => {
    const release = 'label r5 l5 T2';
    const old = deploymentOf('label r5 l4 p T2');
    const proof = proveWith(KEY)({ old, object: deploymentOf(release) });
    const proven = update('label r5 l4 p T2', `${release} ${WRITE_PROOF}=${proof}`);
    expect(await ask(GATE_PATHS.mutate, proven)).toEqual({
      allowed: true,
      patch: [],
      warnings: [],
    });
    const other = update('label r5 l4 p T2', `label r5 l5 T3 ${WRITE_PROOF}=${proof}`);
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

  it('read the Deployment of a scale request', async () => {
    const lookups = new Known();
    lookups.found = deploymentOf('label r5 l4 p n0 w3');
    expect((await ask(GATE_PATHS.scale, scaleTo(5), lookups)).status?.code).toBe(403);
    expect(lookups.asked).toEqual(['gated web']);
    expect((await ask(GATE_PATHS.scale, scaleTo(0), lookups)).allowed).toBe(true);
    lookups.found = deploymentOf('label r5 l4 p n2 w2');
    expect((await ask(GATE_PATHS.scale, scaleTo(0), lookups)).status?.code).toBe(403);
  });

  it('judge a ReplicaSet and its scale by the Deployment that has it', async () => {
    const lookups = new Known();
    lookups.found = deploymentOf('label r5 l4 p T2');
    const old = setOf('T2 n0');
    const kind = { group: 'apps', kind: 'ReplicaSet' };
    const created = { kind, object: setOf('T2 n1') as unknown as JsonObject };
    expect((await ask(GATE_PATHS.sets, created, lookups)).status?.code).toBe(403);
    lookups.set = old;
    expect((await ask(GATE_PATHS.sets, scaleTo(1), lookups)).status?.code).toBe(403);
    expect(lookups.asked).toEqual(['owners web', 'set web', 'owners web']);
    lookups.found = null;
    expect((await ask(GATE_PATHS.sets, created, lookups)).allowed).toBe(true);
  });

  it('look up nothing for a ReplicaSet that gets no more pods', async () => {
    const lookups = new Known();
    const kind = { group: 'apps', kind: 'ReplicaSet' };
    const one = setOf('T2 n2') as unknown as JsonObject;
    const less = setOf('T2 n1') as unknown as JsonObject;
    const scale = { ...scaleTo(2), oldObject: { spec: { replicas: 2 } } };
    for (const request of [{ kind, oldObject: one, object: less }, { kind, object: null }, scale]) {
      expect((await ask(GATE_PATHS.sets, request, lookups)).allowed).toBe(true);
    }
    expect(lookups.asked).toEqual([]);
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
    expect(lookups.asked).toEqual(['deployment web', 'keeper web']);
    lookups.found = null;
    expect((await ask(GATE_PATHS.kinds, request, lookups)).allowed).toBe(true);
  });

  const lifecycleOf = (onDelete: string, containerName: string): JsonObject => {
    const pre = { execNewPod: { containerName, command: ['true'] } };
    const spec = { deploymentName: 'web', rollingUpdate: { pre }, onDelete };
    const { template = {} } = deploymentOf('T1').spec ?? {};
    const status = { released: { number: 4, digest: templateDigest(template), template } };
    return { metadata: { name: 'a' }, spec, status } as unknown as JsonObject;
  };
  const ofLifecycle = { kind: { group: 'lifehook.dev', kind: 'DeploymentLifecycle' } };

  it.each([
    ['Restore', 'label r5 l4 p T2', /rollout 5 \(.*\) is withdrawn, .* restored: template /u],
    ['Release', 'label r5 l4 p T2', /rollout 5 \(template .*\) starts without its hooks/u],
  ])('warn of what a deletion under %s makes of %s', async (onDelete, stored, expected) => {
    const lookups = new Known();
    lookups.found = deploymentOf(stored);
    const request = { ...ofLifecycle, operation: 'DELETE', oldObject: lifecycleOf(onDelete, 'c') };
    const { allowed, warnings } = await ask(GATE_PATHS.kinds, request, lookups);
    expect([allowed, warnings?.length]).toEqual([true, 1]);
    expect(warnings?.[0]).toMatch(expected);
  });

  const incumbentOf = (metadata: object): DeploymentLifecycle => ({
    metadata: { namespace: 'x', ...metadata },
    spec: { deploymentName: 'web' },
  });

  it.each([
    ['deleted', 'DELETE', ['Release', null]],
    ['set to Release', 'UPDATE', ['Restore', 'Release']],
  ])(
    'do not warn when one is %s of which another keeps the Deployment',
    async (...[, operation, [before = '', after]]) => {
      const lookups = new Known();
      lookups.found = deploymentOf('label r5 l4 p T2');
      lookups.keeping = incumbentOf({ name: 'older' });
      const container = lookups.found.spec?.template.spec?.containers[0]?.name ?? '';
      const oldObject = lifecycleOf(before ?? '', container);
      const object = after === null || after === undefined ? null : lifecycleOf(after, container);
      const request = { ...ofLifecycle, operation, oldObject, object };
      const verdict = await ask(GATE_PATHS.kinds, request, lookups);
      expect(verdict).toEqual({ allowed: true, warnings: [] });
      lookups.keeping = incumbentOf({ name: 'a' });
      expect((await ask(GATE_PATHS.kinds, request, lookups)).warnings).toHaveLength(1);
    },
  );

  it.each([
    ['an older one that stays', { name: 'older' }, 1],
    ['an older one that is terminating', { name: 'older', deletionTimestamp: 'now' }, 0],
    ['itself, as after a replacement', { name: 'a' }, 0],
    ['none', null, 0],
  ])('warn of a second lifecycle only when the Deployment has %s', async (...row) => {
    const [, metadata, count] = row;
    const lookups = new Known();
    lookups.found = deploymentOf('label r4 l4 T1');
    lookups.keeping = metadata === null ? null : incumbentOf(metadata);
    const container = lookups.found.spec?.template.spec?.containers[0]?.name ?? '';
    const object = lifecycleOf('Restore', container);
    const request = { ...ofLifecycle, operation: 'CREATE', object };
    const { allowed, warnings = [] } = await ask(GATE_PATHS.kinds, request, lookups);
    expect([allowed, warnings.length]).toEqual([true, count]);
    for (const warning of warnings) expect(warning).toContain('"older" is older');
  });

  it('do not warn of a deletion when nothing is held', async () => {
    const lookups = new Known();
    lookups.found = deploymentOf('label r4 l4 T1');
    const oldObject = lifecycleOf('Release', 'c');
    const request = { ...ofLifecycle, operation: 'DELETE', oldObject };
    expect(await ask(GATE_PATHS.kinds, request, lookups)).toEqual({ allowed: true, warnings: [] });
  });

  it('warn when Release is set while a template is held', async () => {
    const lookups = new Known();
    lookups.found = deploymentOf('label r5 l4 p T2');
    const name = lookups.found.spec?.template.spec?.containers[0]?.name ?? '';
    const [before, after] = ['Restore', 'Release'].map((onDelete) => lifecycleOf(onDelete, name));
    const request = { ...ofLifecycle, object: after ?? null, oldObject: before ?? null };
    const { allowed, warnings = [] } = await ask(GATE_PATHS.kinds, request, lookups);
    expect([allowed, warnings.join()]).toEqual([
      true,
      expect.stringContaining('without its hooks'),
    ]);
  });

  it.each([
    ['a finalizer come off', { ...lifecycleOf('Restore', 'missing'), metadata: { name: 'a' } }],
    ['onDelete be set', lifecycleOf('Release', 'missing')],
  ])('let %s although a container of a hook is missing', async (_, object) => {
    const lookups = new Known();
    lookups.found = deploymentOf('label r5 l4 p T2');
    const oldObject = lifecycleOf('Restore', 'missing');
    const { allowed } = await ask(GATE_PATHS.kinds, { ...ofLifecycle, object, oldObject }, lookups);
    expect(allowed).toBe(true);
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
