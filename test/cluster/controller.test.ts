/** The sample controller, with real caches and a real lease, against the real API server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ControllerEvent } from '../../src/controller/controller-event.ts';
import { controllerOf } from '../../src/controller/indexes.ts';
import { configMaps, events } from '../../src/kube/resources.ts';
import { FINALIZER, type Widget, widgets } from '../sim/controller/sample-controller.ts';
import { Random } from '../sim/random.ts';
import {
  defineWidgets,
  eventually,
  orNothing,
  removeWidgets,
  runSample,
} from './controller-stand.ts';
import { type ClusterConnection, connectToCluster, makeNamespace } from './real-cluster.ts';

const NAMES = ['a', 'b', 'c'] as const;

let cluster: ClusterConnection;
let namespace: string;
let removeNamespace: () => Promise<void>;
let running: Promise<void>;
const stop = new AbortController();
const seen: ControllerEvent[] = [];

beforeAll(async () => {
  cluster = connectToCluster();
  await defineWidgets(cluster.client);
  const made = await makeNamespace(cluster.client, 'k3-controller');
  namespace = made.namespace;
  removeNamespace = made.remove;
  running = runSample({
    cluster,
    namespace,
    identity: 'only',
    signal: stop.signal,
    observe: (event) => seen.push(event),
  });
});

afterAll(async () => {
  stop.abort();
  await running;
  await removeWidgets(cluster.client, namespace);
  await removeNamespace();
  cluster.connection.transport.close();
});

const read = (name: string): Promise<Widget> => cluster.client.get(widgets, { namespace, name });

const make = (name: string, children: number): Promise<Widget> =>
  cluster.client.create(widgets, { metadata: { namespace, name }, spec: { children } });

/** Names of the children of the widget with that name. */
async function childrenOf(name: string): Promise<string[]> {
  const { items } = await cluster.client.list(configMaps, { namespace });
  const own = items.filter((child) => controllerOf(child)?.name === name);
  return own.map(({ metadata }) => metadata?.name ?? '');
}

async function isSettled(name: string): Promise<void> {
  const { spec, status, metadata } = await read(name);
  expect(await childrenOf(name)).toHaveLength(spec?.children ?? 0);
  expect(status).toMatchObject({
    children: spec?.children,
    observedGeneration: metadata?.generation,
    conditions: [{ type: 'Ready', status: 'True' }],
  });
}

/**
 * Makes one change that a user may make at any time: a number of children, a child deleted or changed, a widget
 * deleted or created.
 */
async function editSomething(random: Random): Promise<void> {
  const { client } = cluster;
  const name = random.pick(NAMES);
  const children = await childrenOf(name);
  const child = children[random.between(0, children.length - 1)] ?? 'none';
  const merge = { type: 'merge' as const };
  switch (random.pick(['scale', 'scale', 'make', 'remove', 'child gone', 'child changed'])) {
    case 'make':
      return orNothing(make(name, random.between(0, 5)));
    case 'remove':
      return orNothing(client.delete(widgets, { namespace, name }));
    case 'child gone':
      return orNothing(client.delete(configMaps, { namespace, name: child }));
    case 'child changed': {
      const body = { data: { x: String(random.between(0, 9)) } };
      return orNothing(client.patch(configMaps, { namespace, name: child }, { ...merge, body }));
    }
    default: {
      const body = { spec: { children: random.between(0, 5) } };
      return orNothing(client.patch(widgets, { namespace, name }, { ...merge, body }));
    }
  }
}

describe('a controller on a real cluster', () => {
  it('creates and deletes children to match the spec, and records an event for each change', async () => {
    await make('first', 3);
    await eventually('three children', () => isSettled('first'));
    await cluster.client.patch(
      widgets,
      { namespace, name: 'first' },
      { type: 'merge', body: { spec: { children: 1 } } },
    );
    await eventually('one child', () => isSettled('first'));
    const fieldSelector = 'involvedObject.name=first';
    await eventually('events', async () => {
      const { items } = await cluster.client.list(events, { namespace, fieldSelector });
      const words = items.map(({ message, source }) => `${source?.component}: ${message}`);
      expect(words).toContain('lifehook-sample: 3 of 3 children are there');
      expect(words).toContain('lifehook-sample: 1 of 1 children are there');
    });
  });

  it('counts a repeated event, and creates no second one', async () => {
    await make('bad', -1);
    for (let edits = 1; edits <= 4; edits += 1) {
      await eventually('the event', async () => {
        const fieldSelector = 'involvedObject.name=bad';
        const { items } = await cluster.client.list(events, { namespace, fieldSelector });
        expect(items.map(({ count = 0 }) => count >= edits)).toEqual([true]);
      });
      const body = { metadata: { labels: { edit: String(edits) } } };
      await cluster.client.patch(widgets, { namespace, name: 'bad' }, { type: 'merge', body });
    }
    await cluster.client.delete(widgets, { namespace, name: 'bad' });
  });

  it('keeps a deleted object until its children are deleted', async () => {
    const { client } = cluster;
    await make('short', 2);
    await eventually('two children', () => isSettled('short'));
    expect((await read('short')).metadata?.finalizers).toEqual([FINALIZER]);
    const terminating = await client.delete(widgets, { namespace, name: 'short' });
    expect(terminating?.metadata?.deletionTimestamp).toBeDefined();
    await eventually('it is gone', async () => {
      await expect(read('short')).rejects.toMatchObject({ reason: 'NotFound' });
    });
    expect(await childrenOf('short')).toEqual([]);
  });

  it('converges after a hundred random edits and deletions, and then writes nothing more', async () => {
    const random = new Random(42);
    for (const name of NAMES) await orNothing(make(name, 2));
    for (let edits = 0; edits < 100; edits += 1) await editSomething(random);
    await eventually('everything as asked for', async () => {
      for (const name of NAMES) await orNothing(isSettled(name));
    });
    const versions = async (): Promise<(string | undefined)[]> => {
      const all = await cluster.client.list(widgets, { namespace });
      const children = await cluster.client.list(configMaps, { namespace });
      return [...all.items, ...children.items].map(({ metadata }) => metadata?.resourceVersion);
    };
    const before = await versions();
    const passes = (): number => seen.filter(({ type }) => type === 'PassStarted').length;
    // The watch events of the controller's own last writes may still be in transit.
    await eventually('it rests', async () => {
      const passed = passes();
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      expect(passes()).toBe(passed);
    });
    expect(await versions()).toEqual(before);
  });
});
