import { describe, expect, it } from 'vitest';

import type { AdmissionRequest, Verdict } from '../../../controller/admission/admission-review.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { DeploymentLifecycle } from '../kinds.ts';
import { AUTHOR_PROOF } from '../names.ts';
import {
  isAuthoredWith,
  proveAuthorWith,
  type AuthorWorld,
  proveChange,
  reviewCreation,
} from './review-authors.ts';

const KEY = 'k'.repeat(32);
const { signal } = new AbortController();
const proveAuthor = proveAuthorWith(KEY);
const isAuthored = isAuthoredWith(KEY);

const world = (reason: string | null): AuthorWorld => ({
  ask: async () => reason,
  proveAuthor,
  isAuthored,
});
const SILENT: AuthorWorld = { ...world(null), ask: () => Promise.reject(new Error('no answer')) };

const requestOf = (request: Partial<AdmissionRequest>): AdmissionRequest => ({
  uid: 'u',
  kind: { group: 'lifehook.dev', kind: 'DeploymentLifecycle' },
  namespace: 'x',
  operation: 'UPDATE',
  object: null,
  userInfo: { username: 'dev' },
  ...request,
});

interface Written {
  readonly command: string;
  readonly generation?: number;
  readonly proof?: string;
  readonly uid?: string;
}

function lifecycleOf({ command, generation = 1, proof, uid = 'u1' }: Written): DeploymentLifecycle {
  const annotations = proof === undefined ? { a: 'b' } : { a: 'b', [AUTHOR_PROOF]: proof };
  const pre = { execNewPod: { containerName: 'main', command: [command] } };
  return {
    metadata: { namespace: 'x', name: 'web', uid, generation, annotations },
    spec: { deploymentName: 'web', rollingUpdate: { pre } },
  };
}

function change(
  before: Written,
  after: Written,
  asked: AuthorWorld = world(null),
): Promise<Verdict> {
  const [oldObject, object] = [before, after].map(
    (written) => lifecycleOf(written) as unknown as JsonObject,
  );
  return proveChange(
    asked,
    requestOf({ object: object ?? null, oldObject: oldObject ?? null }),
    signal,
  );
}

function stampIn({ patch = [] }: Verdict): string | undefined {
  const [operation] = patch;
  return (operation?.value as Record<string, string> | undefined)?.[AUTHOR_PROOF];
}

describe('a creation', () => {
  it.each(['DeploymentLifecycle', 'HookRun'])(
    'of a %s needs the right to create pods',
    async (kind) => {
      const request = requestOf({
        operation: 'CREATE',
        kind: { group: 'lifehook.dev', kind },
        object: {},
      });
      expect(await reviewCreation(world(null), request, signal)).toEqual({ allowed: true });
      const { allowed, status } = await reviewCreation(world('no role'), request, signal);
      expect([allowed, status?.code]).toEqual([false, 403]);
      expect(status?.message).toContain(
        '`create` on pods in namespace x, which "dev" does not have',
      );
      await expect(reviewCreation(SILENT, request, signal)).rejects.toThrow('no answer');
    },
  );
});

describe('what needs no access review', () => {
  const kind = { group: 'lifehook.dev', kind: 'DeploymentLifecycle' };
  const other = { group: 'apps', kind: 'Deployment' };
  const [before, after] = ['a', 'b'].map(
    (command) => lifecycleOf({ command }) as unknown as JsonObject,
  );
  const changed = { kind, object: after ?? null, oldObject: before ?? null };

  it.each<[string, Partial<AdmissionRequest>]>([
    ['another kind', { kind: other, object: {} }],
    ['no object', { kind }],
    ['a subresource', { kind, object: {}, subResource: 'status' }],
  ])('is a creation of %s', async (_, request) => {
    const creation = requestOf({ operation: 'CREATE', ...request });
    expect(await reviewCreation(SILENT, creation, signal)).toEqual({ allowed: true });
  });

  it.each<[string, Partial<AdmissionRequest>]>([
    ['another kind', { ...changed, kind: other }],
    ['a subresource', { ...changed, subResource: 'status' }],
    ['no object', { ...changed, object: null }],
    ['no object before it', { ...changed, oldObject: null }],
    ['no object before it that is said', { kind, object: changed.object }],
  ])('is a change of %s', async (_, request) => {
    expect(await proveChange(SILENT, requestOf(request), signal)).toEqual({ allowed: true });
  });
});

describe('a changed spec', () => {
  it('is stored with a proof of its author, and the other annotations', async () => {
    const verdict = await change({ command: 'a' }, { command: 'b', generation: 1 });
    const proof = stampIn(verdict) ?? '';
    const value = { a: 'b', [AUTHOR_PROOF]: proof };
    const patch = [{ op: 'add', path: '/metadata/annotations', value }];
    expect(verdict).toEqual({ allowed: true, patch });
    expect(isAuthored(lifecycleOf({ command: 'b', generation: 2, proof }))).toBe(true);
  });

  it('is refused where the author may not create pods', async () => {
    const verdict = await change({ command: 'a' }, { command: 'b' }, world(''));
    expect([verdict.allowed, verdict.status?.code]).toEqual([false, 403]);
    expect(verdict.status?.message).toContain('`create` on pods in namespace x');
  });

  it('that was stored while no webhook answered has no proof', async () => {
    await expect(change({ command: 'a' }, { command: 'b' }, SILENT)).rejects.toThrow('no answer');
    expect(isAuthored(lifecycleOf({ command: 'b', generation: 2 }))).toBe(false);
  });

  it('cannot borrow a proof: of another spec, of another object, or of an earlier generation', async () => {
    const generation = 2;
    const proof = proveAuthor(lifecycleOf({ command: 'a', generation }));
    expect(isAuthored(lifecycleOf({ command: 'a', generation: 3, proof }))).toBe(false);
    expect(isAuthored(lifecycleOf({ command: 'a', generation: 4, proof }))).toBe(false);
    expect(isAuthored(lifecycleOf({ command: 'a', generation, proof }))).toBe(true);
    expect(isAuthored(lifecycleOf({ command: 'b', generation, proof }))).toBe(false);
    expect(isAuthored(lifecycleOf({ command: 'a', generation, proof, uid: 'u2' }))).toBe(false);
  });

  it('on top of a spec without a proof is not proven by a patch of another field', async () => {
    const unproven = { command: 'a', generation: 2 };
    const { allowed, patch, warnings } = await change(unproven, { command: 'b', generation: 2 });
    expect([allowed, patch, warnings?.length]).toEqual([true, undefined, 1]);
  });
});

describe('an unchanged spec', () => {
  const generation = 2;
  const proof = proveAuthor(lifecycleOf({ command: 'a', generation }));

  it('keeps its proof, without an access review, although the writer has left it out', async () => {
    const verdict = await change(
      { command: 'a', generation, proof },
      { command: 'a', generation },
      SILENT,
    );
    expect(stampIn(verdict)).toBe(proof);
  });

  it('with its proof is stored as it is', async () => {
    const proven = { command: 'a', generation, proof };
    expect(await change(proven, proven, SILENT)).toEqual({ allowed: true });
  });

  it('without a proof gets none by a write of anything else', async () => {
    const unproven = { command: 'a', generation };
    expect(await change(unproven, unproven, SILENT)).toEqual({ allowed: true });
  });

  it('gets its proof by an author who asks for it, and who may create pods', async () => {
    const asking = { command: 'a', generation, proof: 'ask' };
    expect(stampIn(await change({ command: 'a', generation }, asking))).toBe(proof);
    expect((await change({ command: 'a', generation }, asking, world(''))).allowed).toBe(false);
  });
});
