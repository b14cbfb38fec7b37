import { describe, expect, it } from 'vitest';

import type { WatchEvent } from '../kube/client.ts';
import type { KubeObject, Resource } from '../kube/object.ts';
import { makeResource } from '../kube/resources.ts';
import type { ControllerEvent } from './controller-event.ts';
import { LOOK_MS, ServedKind } from './served-kind.ts';
import { SharedInformers, type WatchAny } from './shared-informers.ts';

const versions: readonly [Resource, Resource] = [
  makeResource({ apiVersion: 'groups.example/v1', kind: 'Group' }),
  makeResource({ apiVersion: 'groups.example/v1beta1', kind: 'Group' }),
];
const notFound = {
  type: 'Interrupted',
  reason: '404 page not found',
  retryInMs: 1,
  notServed: true,
} as const;
const away = { type: 'Interrupted', reason: '503', retryInMs: 1, notServed: false } as const;
const upsert = (name: string): WatchEvent<KubeObject> => ({
  type: 'Upsert',
  object: { metadata: { name, namespace: 'ns', uid: name, resourceVersion: '1' } },
});
const synced = { type: 'Synced', resourceVersion: '1' } as const;

/**
 * Each list or watch of a version takes that version's next script. When no script is left, the watch continues for
 * ever.
 */
class Server {
  readonly scripts: Record<string, (readonly WatchEvent<KubeObject>[])[]> = {};
  readonly asked: string[] = [];
  readonly reported: ControllerEvent[] = [];
  readonly pauses: (() => void)[] = [];
  readonly stop: AbortController = new AbortController();
  readonly kind: ServedKind<KubeObject>;
  readonly informers: SharedInformers;

  constructor() {
    const after = (ms: number, callback: () => void): (() => void) => {
      expect(ms).toBe(LOOK_MS);
      this.pauses.push(callback);
      return () => {};
    };
    this.kind = new ServedKind(versions, { after });
    const watch = (({ resource, signal }) => this.#watch(resource, signal)) as WatchAny;
    this.informers = new SharedInformers({ watch, observe: (event) => this.reported.push(event) });
  }

  async *#watch(
    { version }: Resource,
    signal: Parameters<WatchAny>[0]['signal'],
  ): AsyncGenerator<WatchEvent<KubeObject>> {
    this.asked.push(version);
    const script = this.scripts[version]?.shift();
    yield* script ?? [];
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        resolve();
      });
    });
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

const isAboutKind = ({ type }: ControllerEvent): boolean => type.startsWith('Kind');

describe('a kind that may not be served', () => {
  it('has an empty and synced cache while no version is served, and fills it when one is', async () => {
    const server = new Server();
    server.scripts['v1'] = [[notFound], [upsert('a'), synced]];
    server.scripts['v1beta1'] = [[notFound]];
    const informer = server.informers.ofServed(server.kind);
    const running = server.informers.run(server.stop.signal);
    await informer.synced();
    await settle();
    expect([server.kind.served, informer.list()]).toEqual([null, []]);
    expect(server.reported).toContainEqual({
      type: 'KindNotServed',
      resource: 'groups.groups.example',
    });
    for (const release of server.pauses.splice(0)) release();
    await settle();
    expect(server.kind.served?.version).toBe('v1');
    expect(informer.list().map(({ metadata }) => metadata?.name)).toEqual(['a']);
    server.stop.abort();
    await running;
  });

  it('is read in the newest version that is served', async () => {
    const server = new Server();
    server.scripts['v1'] = [[notFound]];
    server.scripts['v1beta1'] = [[upsert('a'), synced]];
    const informer = server.informers.ofServed(server.kind);
    const running = server.informers.run(server.stop.signal);
    await informer.synced();
    await settle();
    expect(server.asked).toEqual(['v1', 'v1beta1']);
    expect(server.kind.served?.version).toBe('v1beta1');
    expect(server.reported).toContainEqual(expect.objectContaining({ version: 'v1beta1' }));
    server.stop.abort();
    await running;
  });

  it('reports its objects as deleted when it is deleted, and moves to the version that is left', async () => {
    const server = new Server();
    server.scripts['v1'] = [[upsert('a'), upsert('b'), synced, away, notFound]];
    server.scripts['v1beta1'] = [[upsert('b'), synced]];
    const informer = server.informers.ofServed(server.kind);
    const deleted: string[] = [];
    informer.listen(({ key, after }) => {
      if (after === null) deleted.push(key);
    });
    const running = server.informers.run(server.stop.signal);
    await informer.synced();
    await settle();
    expect(deleted).toEqual(['ns/a']);
    expect(informer.list().map(({ metadata }) => metadata?.name)).toEqual(['b']);
    expect(server.kind.served?.version).toBe('v1beta1');
    expect(server.reported.filter(isAboutKind)).toMatchObject([
      { type: 'KindServed', version: 'v1' },
      { type: 'KindServed', version: 'v1beta1' },
    ]);
    server.stop.abort();
    await running;
  });

  it('stays served while the server only fails', async () => {
    const server = new Server();
    server.scripts['v1'] = [[upsert('a'), synced, away]];
    const informer = server.informers.ofServed(server.kind);
    const running = server.informers.run(server.stop.signal);
    await informer.synced();
    await settle();
    expect(server.asked).toEqual(['v1']);
    expect([server.kind.served?.version, informer.list().length]).toEqual(['v1', 1]);
    server.stop.abort();
    await running;
  });

  it('is not served before its first list is complete', async () => {
    const server = new Server();
    server.scripts['v1'] = [[{ type: 'Relisting' }, upsert('a'), away]];
    server.informers.ofServed(server.kind);
    const running = server.informers.run(server.stop.signal);
    await settle();
    expect([server.kind.served, server.reported.filter(isAboutKind)]).toEqual([null, []]);
    server.stop.abort();
    await running;
  });

  it('is reported once when it is not served, and once when it is', async () => {
    const server = new Server();
    server.scripts['v1'] = [[notFound], [notFound], [upsert('a'), synced, synced]];
    server.scripts['v1beta1'] = [[notFound], [notFound]];
    server.informers.ofServed(server.kind);
    const running = server.informers.run(server.stop.signal);
    for (let round = 0; round < 3; round += 1) {
      await settle();
      for (const release of server.pauses.splice(0)) release();
    }
    await settle();
    expect(server.reported.filter(isAboutKind)).toEqual([
      { type: 'KindNotServed', resource: 'groups.groups.example' },
      { type: 'KindServed', resource: 'groups.groups.example', version: 'v1' },
    ]);
    server.stop.abort();
    await running;
  });

  it('has no further event after a stop, which would read as a kind without objects', async () => {
    const stop = new AbortController();
    const watch = async function* () {
      yield upsert('a');
      stop.abort();
    } as unknown as WatchAny;
    const { kind } = new Server();
    const types: string[] = [];
    for await (const { type } of kind.follow({ watch, scope: {}, signal: stop.signal })) {
      types.push(type);
    }
    expect(types).toEqual(['Relisting', 'Upsert']);
  });

  it('is used in the version that is served, else in the newest', async () => {
    const server = new Server();
    server.scripts['v1'] = [[notFound]];
    server.scripts['v1beta1'] = [[synced]];
    expect(server.kind.resource.version).toBe('v1');
    server.informers.ofServed(server.kind);
    const running = server.informers.run(server.stop.signal);
    await settle();
    expect(server.kind.resource.version).toBe('v1beta1');
    server.stop.abort();
    await running;
  });

  it('is named in messages with each version', () => {
    expect(new Server().kind.text).toBe('Group (groups.example/v1 or groups.example/v1beta1)');
  });
});
