import { describe, expect, it } from 'vitest';

import type { AdmissionRequest } from '../../../controller/admission/admission-review.ts';
import { ApiError } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { Json, JsonObject } from '../../../kube/object.ts';
import { resolveRecipe } from '../recipes/all-recipes.ts';
import { authorNeeds } from './author-needs.ts';

const { signal } = new AbortController();
const preAction = { exec: { command: ['freeze'] } };
const rescued = { preAction, lockScope: 'Kernel', rescue: {} };
const EXEC = ['pods/exec'];
const BOTH = ['pods/exec', 'pods'];

const templates: Readonly<Record<string, JsonObject>> = {
  plain: { metadata: { name: 'plain' }, preAction },
  rescued: { metadata: { name: 'rescued' }, ...rescued },
};

const get = async (_resource: unknown, { name }: { name: string }): Promise<JsonObject> => {
  const found = templates[name];
  if (found !== undefined) return found;
  if (name === 'broken') throw new ApiError(500, { reason: 'InternalError', message: name });
  throw new ApiError(404, { reason: 'NotFound', message: name });
};

function needs(kind: string, request: Partial<AdmissionRequest>): ReturnType<typeof authorNeeds> {
  const whole = { uid: 'u', kind: { group: 'lifehook.dev', kind }, namespace: 'shop' };
  const client = { get } as unknown as KubeClient;
  const asked = { ...whole, operation: 'CREATE', object: null, ...request };
  return authorNeeds(asked, { client, resolveRecipe }, signal);
}

const spec = (value: JsonObject): Partial<AdmissionRequest> => ({ object: { spec: value } });

describe('the author of', () => {
  it.each<[string, JsonObject, readonly string[]]>([
    ['actions of its own', { preAction }, EXEC],
    ['a rescue of its own', rescued, BOTH],
    ['a recipe', { recipe: { name: 'redis-aof' } }, EXEC],
    [
      'a recipe with a rescue',
      { recipe: { name: 'fsfreeze', parameters: { path: '/data' } } },
      BOTH,
    ],
    ['a template', { executionHookTemplateName: 'plain' }, EXEC],
    ['a template with a rescue', { executionHookTemplateName: 'rescued' }, BOTH],
    ['a template that does not exist', { executionHookTemplateName: 'later' }, EXEC],
  ])('a hook with %s needs what is done for it', async (_, value, expected) => {
    expect(await needs('ExecutionHook', spec(value))).toEqual(expected);
    const infos = { executionHookInfos: [{ executionHookTemplateName: 'plain' }, value] };
    expect(await needs('ApplicationSnapshot', spec(infos))).toEqual(expected);
  });

  it('an object of another group, of another kind or without a spec needs no more than it says', async () => {
    const foreign = { kind: { group: 'example.com', kind: 'ExecutionHook' } };
    expect(await needs('ExecutionHook', { ...spec({ preAction }), ...foreign })).toEqual([]);
    expect(await needs('HookRun', spec({ preAction }))).toEqual([]);
    expect(await needs('ExecutionHook', { object: null })).toEqual([]);
    for (const nothing of [null, 'text', 7]) {
      expect(await needs('ExecutionHook', { object: { spec: nothing } })).toEqual(EXEC);
    }
  });

  it('a hook that names no template, or a refused recipe, needs what is done by itself', async () => {
    const unnamed = { executionHookTemplateName: '', ...rescued };
    expect(await needs('ExecutionHook', spec(unnamed))).toEqual(BOTH);
    const refused = { recipe: { name: 'elasticsearch' } };
    expect(await needs('ExecutionHook', spec(refused))).toEqual(EXEC);
  });

  it('a snapshot needs nothing without hooks, and everything where the claims may name them', async () => {
    expect(await needs('ApplicationSnapshot', spec({ executionHookInfos: [] }))).toEqual([]);
    expect(await needs('ApplicationSnapshot', spec({}))).toEqual(BOTH);
  });

  it('a window, or a schedule of windows, needs what the webhook of the guards has (SNAP-W15)', async () => {
    const window = { guardName: 'db', freezeTimeoutSeconds: 10, holdOpenSeconds: 0 };
    const infos = [{ executionHookTemplateName: 'plain' }];
    const forged = { executionHookInfos: infos, window };
    const needed = ['snapshotguards/status', 'pods/exec'];
    expect(await needs('ApplicationSnapshot', spec(forged))).toEqual(needed);
    const bare = { executionHookInfos: [], window };
    expect(await needs('ApplicationSnapshot', spec(bare))).toEqual(['snapshotguards/status']);
    const snapshotTemplate = { spec: forged };
    expect(await needs('SnapshotSchedule', spec({ snapshotTemplate }))).toEqual(needed);
  });

  it('a template is judged when its actions are written or changed', async () => {
    const object = { metadata: { name: 'a' }, preAction };
    const kind = 'ExecutionHookTemplate';
    expect(await needs(kind, { object })).toEqual(EXEC);
    const labelled = { ...object, metadata: { name: 'a', labels: { b: 'c' } } };
    const update = { operation: 'UPDATE', oldObject: object };
    expect(await needs(kind, { ...update, object: labelled })).toEqual([]);
    expect(await needs(kind, { ...update, object: { ...object, ...rescued } })).toEqual(BOTH);
  });

  it('a guard is judged as the author of its hooks, at each change of them (SNAP-W12)', async () => {
    const kind = 'SnapshotGuard';
    const plain = { spec: { executionHookInfos: [{ executionHookTemplateName: 'plain' }] } };
    const withRescue = { spec: { executionHookInfos: [{ executionHookTemplateName: 'rescued' }] } };
    expect(await needs(kind, { object: plain })).toEqual(EXEC);
    const update = { operation: 'UPDATE', oldObject: plain };
    expect(await needs(kind, { ...update, object: { ...plain, metadata: {} } })).toEqual([]);
    expect(await needs(kind, { ...update, object: withRescue })).toEqual(BOTH);
  });

  it('a schedule needs what its snapshots need, when its template is written or changed', async () => {
    const kind = 'SnapshotSchedule';
    const scheduled = (template: Json, more: JsonObject = {}): Partial<AdmissionRequest> =>
      spec({ ...more, snapshotTemplate: template });
    const plain = { spec: { executionHookInfos: [] } };
    const hooked = { spec: { executionHookInfos: [{ recipe: { name: 'mariadb-lock' } }] } };
    expect(await needs(kind, scheduled(plain))).toEqual([]);
    expect(await needs(kind, scheduled({ spec: {} }))).toEqual(BOTH);
    expect(await needs(kind, scheduled(hooked))).toEqual(EXEC);
    for (const nothing of [null, 'text', 7]) {
      expect(await needs(kind, scheduled(nothing))).toEqual(BOTH);
    }
    const { object: oldObject = null } = scheduled(plain);
    const update = { operation: 'UPDATE', oldObject } as const;
    expect(await needs(kind, { ...update, ...scheduled(plain, { suspend: true }) })).toEqual([]);
    expect(await needs(kind, { ...update, ...scheduled(hooked) })).toEqual(EXEC);
  });

  it('a schedule needs what its rehearsals need, when they are written or changed (SNAP-T17)', async () => {
    const kind = 'SnapshotSchedule';
    const scheduled = (infos: Json, ...verify: Json[]): Partial<AdmissionRequest> =>
      spec({
        snapshotTemplate: { spec: { executionHookInfos: infos } },
        ...(verify.length === 0 ? {} : { rehearsal: { schedule: '@daily', verify } }),
      });
    const inPod = { name: 'check', pod: { image: 'i' } };
    const inShop = { name: 'check', exec: { podName: 'shop', command: ['true'] } };
    expect(await needs(kind, scheduled([], inPod))).toEqual(['persistentvolumeclaims', 'pods']);
    const hooked = [{ recipe: { name: 'mariadb-lock' } }];
    const all = ['pods/exec', 'persistentvolumeclaims', 'pods'];
    expect(await needs(kind, scheduled(hooked, inPod, inShop))).toEqual(all);
    const { object: oldObject = null } = scheduled(hooked, inPod);
    const update = { operation: 'UPDATE', oldObject } as const;
    expect(await needs(kind, { ...update, ...scheduled(hooked, inPod) })).toEqual([]);
    expect(await needs(kind, { ...update, ...scheduled(hooked) })).toEqual([]);
    const changed = await needs(kind, { ...update, ...scheduled(hooked, inShop) });
    expect(changed).toEqual(['persistentvolumeclaims', 'pods/exec']);
    // The rehearsal is not an object. The schema refuses that, so this function needs no permission for it.
    expect(
      await needs(
        kind,
        spec({ snapshotTemplate: { spec: { executionHookInfos: [] } }, rehearsal: 7 }),
      ),
    ).toEqual([]);
  });

  it('an update of a hook or a snapshot needs nothing: their specs never change', async () => {
    const { object = null } = spec({ preAction });
    for (const kind of ['ExecutionHook', 'ApplicationSnapshot']) {
      expect(await needs(kind, { operation: 'UPDATE', object, oldObject: object })).toEqual([]);
    }
  });

  it('a hook is unknown while its template cannot be read', async () => {
    const named = spec({ executionHookTemplateName: 'broken' });
    await expect(needs('ExecutionHook', named)).rejects.toThrow('broken');
  });

  it.each<[string, Partial<AdmissionRequest>]>([
    ['another kind', { kind: { group: '', kind: 'Pod' } }],
    ['a status', { subResource: 'status', ...spec({ preAction }) }],
    ['a deletion', { operation: 'DELETE' }],
  ])('%s needs nothing', async (_, request) => {
    expect(await needs('ExecutionHook', request)).toEqual([]);
  });
});

it('reads the templates of all hooks at once, since the server waits for the webhook', async () => {
  const names = ['plain', 'rescued', 'later'];
  const asked: string[] = [];
  const client = {
    get: (resource: unknown, key: { name: string }) => {
      asked.push(key.name);
      return get(resource, key);
    },
  } as unknown as KubeClient;
  const executionHookInfos = names.map((name) => ({ executionHookTemplateName: name }));
  const request = {
    uid: 'u',
    kind: { group: 'lifehook.dev', kind: 'ApplicationSnapshot' },
    operation: 'CREATE',
    object: { spec: { executionHookInfos } },
  };
  const judged = authorNeeds(request, { client, resolveRecipe }, signal);
  expect(asked).toEqual(names);
  expect(await judged).toEqual(BOTH);
});
