/** The beginning of a hook: its actions and targets, and why it waits or is refused (SNAP-G1, SNAP-I10, SNAP-R3). */
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { ApiError } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ExecutionHook, ExecutionHookSpec } from '../kinds.ts';
import { RESCUE_POD } from '../names.ts';
import { resolveRecipe } from '../recipes/all-recipes.ts';
import { type Beginning, beginHook, type BeginningOptions } from './begin-hook.ts';
import { readLostNodes, readPods } from './read-targets.ts';

/** A server that has these objects, by kind and name. */
function serverWith(objects: Readonly<Record<string, readonly KubeObject[]>>): KubeClient {
  const client: Partial<KubeClient> = {
    get: (resource, { name }) => {
      const found = objects[resource.kind]?.find(({ metadata }) => metadata?.name === name);
      return found === undefined
        ? Promise.reject(new ApiError(404, { reason: 'NotFound' }))
        : Promise.resolve(found as never);
    },
    list: ({ kind }) => Promise.resolve({ items: (objects[kind] ?? []) as never[] } as never),
  };
  return client as KubeClient;
}

const pod = (name: string, more: { phase?: string; nodeName?: string } = {}): Pod => ({
  metadata: { name, uid: `uid-${name}` },
  spec: {
    nodeName: more.nodeName ?? 'node-1',
    containers: [{ name: 'db', image: 'db:1', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
    volumes: [{ name: 'v', persistentVolumeClaim: { claimName: `data-${name}` } }],
  },
  status: {
    phase: more.phase ?? 'Running',
    containerStatuses: [
      {
        name: 'db',
        image: '',
        imageID: '',
        ready: true,
        restartCount: 0,
        state: more.phase === 'Pending' ? { waiting: {} } : { running: {} },
      },
    ],
  },
});
const node = (name: string, ready: string): Node => ({
  metadata: { name },
  status: {
    conditions: [
      { type: 'DiskPressure', status: 'False' },
      { type: 'Ready', status: ready },
    ],
  },
});
const preAction = { exec: { command: ['freeze'] }, actionTimeoutSeconds: 20 };
const hookOf = (spec: Partial<ExecutionHookSpec>, owner?: string): ExecutionHook => ({
  metadata: {
    name: 'h',
    namespace: 'ns',
    uid: 'uid-h',
    generation: 1,
    ...(owner === undefined
      ? {}
      : { ownerReferences: [{ apiVersion: 'v1', kind: owner, name: 's', uid: 'u' }] }),
  },
  spec: { podSelector: {}, preAction, ...spec },
});

function begin(
  hook: ExecutionHook,
  objects: Parameters<typeof serverWith>[0] = { Pod: [pod('a')] },
  more: Partial<BeginningOptions> = {},
): Promise<Beginning> {
  return beginHook(hook, { client: serverWith(objects), resolveRecipe, call: {}, ...more });
}
const template = { metadata: { name: 'db' }, preAction } as unknown as KubeObject;
const fromTemplate: ExecutionHook = {
  ...hookOf({}),
  spec: { podSelector: {}, executionHookTemplateName: 'db' },
};

describe('a hook begins', () => {
  it('with the actions of its own, and where they come from', async () => {
    expect(await begin(hookOf({}))).toMatchObject({
      kind: 'begun',
      status: {
        resolved: { origin: 'the hook itself', preAction },
        containerExecutionHookStatuses: [{ podName: 'a', containerName: 'db', podUID: 'uid-a' }],
      },
    });
  });

  it('with the actions of its template (SNAP-G1)', async () => {
    const objects = { Pod: [pod('a')], ExecutionHookTemplate: [template] };
    expect(await begin(fromTemplate, objects)).toMatchObject({
      kind: 'begun',
      status: { resolved: { origin: 'template db', preAction } },
    });
  });

  it('with the claims and the rescue of each container, where the kernel keeps the lock (SNAP-G14)', async () => {
    const kernel = hookOf({ lockScope: 'Kernel', rescue: {}, postAction: preAction });
    const begun = await begin(kernel, { Pod: [pod('a'), pod('b')] });
    const targets = begun.kind === 'begun' ? begun.status.containerExecutionHookStatuses : [];
    expect(targets?.map(({ claimNames }) => claimNames)).toEqual([['data-a'], ['data-b']]);
    expect(targets?.[1]?.rescue).toMatchObject({
      container: { image: 'db:1' },
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data-b' } }],
    });
    const plain = await begin(hookOf({}));
    const [target = {}] =
      plain.kind === 'begun' ? (plain.status.containerExecutionHookStatuses ?? []) : [];
    expect(Object.keys(target)).not.toContain('claimNames');
  });

  it('with all that it selects, whatever node that is on, where it only thaws', async () => {
    const objects = { Pod: [pod('a')], Node: [node('node-1', 'False')] };
    expect((await begin(hookOf({}), objects)).kind).toBe('refused');
    expect((await begin(hookOf({}), objects, { isForThaw: true })).kind).toBe('begun');
  });
});

describe('a hook is refused', () => {
  it.each(['httpGet', 'tcpSocket'])(
    'if its freeze or its thaw connects by %s to a host that is not allowed',
    async (handler) => {
      const action = (host?: string): typeof preAction =>
        ({
          [handler]: { port: 80, ...(host === undefined ? {} : { host }) },
          actionTimeoutSeconds: 20,
        }) as never;
      const isAllowedHost = (host: string): boolean => host === 'backup.example.com';
      const beginWith = (spec: Partial<ExecutionHookSpec>): Promise<Beginning> =>
        begin(hookOf(spec), undefined, { isAllowedHost });
      const foreign = action('other.example.com');
      for (const spec of [
        { preAction: foreign },
        { preAction, postAction: foreign },
        { preAction: action('backup.example.com'), postAction: foreign },
      ]) {
        const refusal = await beginWith(spec);
        expect(refusal).toMatchObject({ kind: 'refused', reason: 'HostNotAllowed' });
        expect(JSON.stringify(refusal)).toContain('other.example.com');
      }
      for (const host of [undefined, 'backup.example.com']) {
        const begun = await beginWith({ preAction: action(host), postAction: action(host) });
        expect(begun.kind).toBe('begun');
      }
      expect((await begin(hookOf({ preAction: foreign }))).kind).toBe('begun');
    },
  );

  it('if its fields are wrong', async () => {
    const wrong = hookOf({ preAction: { exec: { command: [] } } });
    const refusal = await begin(wrong);
    expect(refusal).toMatchObject({ kind: 'refused', reason: 'Invalid' });
    expect('message' in refusal ? refusal.message : '').toMatch(
      /^spec\.preAction\.exec\.command: /u,
    );
  });

  it('if its template is wrong, and names that', async () => {
    const wrong = { metadata: { name: 'db' }, preAction: {} } as unknown as KubeObject;
    const refusal = await begin(fromTemplate, { Pod: [pod('a')], ExecutionHookTemplate: [wrong] });
    expect('message' in refusal ? refusal.message : '').toMatch(/^template db: preAction: /u);
  });

  it('if its records could outgrow the server', async () => {
    const { metadata, ...rest } = hookOf({});
    const annotations = { note: 'x'.repeat(1_100_000) };
    expect(await begin({ ...rest, metadata: { ...metadata, annotations } })).toMatchObject({
      kind: 'refused',
      reason: 'TooLarge',
    });
  });
});

describe('a hook waits', () => {
  const starting = { Pod: [pod('a', { phase: 'Pending' }), pod('b')] };
  const none = { Pod: [] };

  it('for its template, thirty seconds', async () => {
    expect(await begin(fromTemplate)).toEqual({
      kind: 'waits',
      reason: 'TemplateNotFound',
      message:
        'There is no ExecutionHookTemplate db in this namespace: create it, or correct the name and create the hook again.',
      patienceSeconds: 30,
    });
  });

  it('for pods that start, as long as its preAction may take, and then begins without them', async () => {
    expect(await begin(hookOf({}), starting, { ageMs: 19_999 })).toMatchObject({
      kind: 'waits',
      reason: 'TargetsStarting',
      patienceSeconds: 20,
      elseBegins: true,
    });
    expect((await begin(hookOf({}), starting, { ageMs: 20_000 })).kind).toBe('begun');
  });

  it('for a pod, and is refused without one then', async () => {
    const waiting = await begin(hookOf({}), none, { ageMs: 0 });
    expect(waiting).toMatchObject({ kind: 'waits', reason: 'NoTarget', patienceSeconds: 20 });
    expect(Object.keys(waiting)).not.toContain('elseBegins');
    expect((await begin(hookOf({}), none)).kind).toBe('refused');
  });

  it('for no pod where a snapshot created it: other hooks may be frozen', async () => {
    const made = hookOf({}, 'ApplicationSnapshot');
    expect((await begin(made, none, { ageMs: 0 })).kind).toBe('refused');
    expect((await begin(made, starting, { ageMs: 0 })).kind).toBe('begun');
    expect((await begin(hookOf({}, 'ConfigMap'), none, { ageMs: 0 })).kind).toBe('waits');
  });
});

describe('the pods of a hook', () => {
  const names = async (all: Pod[], spec: Partial<ExecutionHookSpec>): Promise<string[]> => {
    const found = await readPods(serverWith({ Pod: all }), spec, { namespace: 'ns' });
    return found.map(({ metadata }) => metadata?.name ?? '');
  };
  const listed = (count: number) => ({
    podContainerNamesList: Array.from({ length: count }, (__, at) => ({
      podName: `p${at}`,
      containerNames: ['db'],
    })),
  });

  it('are those of its list that exist, however many it names', async () => {
    const all = ['p0', 'p3', 'p8', 'other'].map((name) => pod(name));
    expect(await names(all, listed(8))).toEqual(['p0', 'p3']);
    expect(await names(all, listed(9))).toEqual(['p0', 'p3', 'p8']);
  });

  it('are no rescue pods', async () => {
    const rescue = { ...pod('r'), metadata: { name: 'r', labels: { [RESCUE_POD]: 'true' } } };
    expect(await names([pod('a'), rescue], {})).toEqual(['a']);
  });
});

describe('the lost nodes (SNAP-CASE46)', () => {
  const lost = async (all: Node[], pods: Pod[], client = serverWith({ Node: all })) => [
    ...(await readLostNodes(client, pods)),
  ];
  const on = (nodeName: string): Pod => pod('a', { nodeName });

  it('are those of the pods that are known to be not ready', async () => {
    const all = [
      node('n1', 'True'),
      node('n2', 'False'),
      node('n3', 'Unknown'),
      node('n4', 'False'),
    ];
    expect(await lost(all, [on('n1'), on('n2'), on('n3'), on('deleted')])).toEqual(['n2', 'n3']);
    const many = Array.from({ length: 9 }, (__, at) => on(`n${at}`));
    expect(await lost(all, many)).toEqual(['n2', 'n3', 'n4']);
    expect(await lost([{ metadata: { name: 'n1' } }], [on('n1')])).toEqual([]);
  });

  it('are none where the controller may not read nodes', async () => {
    const failing = (code: number) =>
      ({ get: () => Promise.reject(new ApiError(code, {})) }) as unknown as KubeClient;
    expect(await lost([], [on('n1')], failing(403))).toEqual([]);
    await expect(lost([], [on('n1')], failing(500))).rejects.toThrow('answered 500');
  });
});
