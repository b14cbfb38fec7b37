/** Features of pods only: bindings, evictions, and the fields of a graceful deletion. No node acts on them. */
import type { JsonObject } from '../../../src/kube/object.ts';
import type { Recorder } from '../recorder.ts';
import { podSpec } from '../samples/pods.ts';
import type { Scenario } from '../scenario.ts';

const MERGE = 'application/merge-patch+json';

interface Pods {
  readonly api: Recorder;
  readonly collection: string;
}

function podsOf(api: Recorder): Pods {
  return { api, collection: `/api/v1/namespaces/${api.namespace}/pods` };
}

async function makePod(
  { api, collection }: Pods,
  name: string,
  spec: JsonObject = {},
): Promise<void> {
  const body = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { ...podSpec, terminationGracePeriodSeconds: 30, ...spec },
  };
  await api.setUp({ method: 'POST', path: collection, body });
}

async function binding(api: Recorder): Promise<void> {
  const pods = podsOf(api);
  await makePod(pods, 'bound');
  const path = `${pods.collection}/bound`;
  const bind = (name: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'bound' },
    target: { apiVersion: 'v1', kind: 'Node', name },
  });
  const post = { method: 'POST', path: `${path}/binding` } as const;
  await api.call('to nothing', {
    ...post,
    body: { ...bind(''), target: { kind: 'Node', name: '' } },
  });
  await api.call('to no node', {
    ...post,
    body: { ...bind('a'), target: { kind: 'Pod', name: 'a' } },
  });
  await api.call('bind', { ...post, body: bind('nowhere') });
  await api.call('bind again', { ...post, body: bind('elsewhere') });
  await api.call('get', { method: 'GET', path: `${path}/binding` });
  const missing = { ...bind('nowhere'), metadata: { name: 'missing' } };
  await api.call('what is not there', {
    method: 'POST',
    path: `${pods.collection}/missing/binding`,
    body: missing,
  });
  const patch = { method: 'PATCH', path, contentType: MERGE } as const;
  await api.call('another node', { ...patch, body: { spec: { nodeName: 'elsewhere' } } });
  await graceful(api, path);
}

/** Deletes a pod that is bound to a node, so that it is removed only when the node confirms its end. */
async function graceful(api: Recorder, path: string): Promise<void> {
  const remove = (step: string, seconds?: number): Promise<unknown> =>
    api.call(step, {
      method: 'DELETE',
      path,
      ...(seconds === undefined ? {} : { query: { gracePeriodSeconds: String(seconds) } }),
    });
  await remove('delete');
  await remove('delete again');
  await remove('delete, longer', 60);
  await remove('delete, shorter', 5);
  const patch = { method: 'PATCH', path, contentType: MERGE } as const;
  await api.call('label while it goes', { ...patch, body: { metadata: { labels: { a: 'b' } } } });
  await remove('delete, now', 0);
  await api.call('gone', { path });
}

async function eviction(api: Recorder): Promise<void> {
  const pods = podsOf(api);
  await makePod(pods, 'evicted');
  const evict = (name: string, more: JsonObject = {}): JsonObject => ({
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    ...more,
  });
  const path = `${pods.collection}/evicted/eviction`;
  const post = { method: 'POST', path } as const;
  await api.call('of another', { ...post, body: evict('other') });
  await api.call('dry run', {
    ...post,
    body: evict('evicted', { deleteOptions: { dryRun: ['All'] } }),
  });
  await api.call('still there', { path: `${pods.collection}/evicted` });
  await api.call('evict', { ...post, body: evict('evicted') });
  await api.call('gone', { path: `${pods.collection}/evicted` });
  await api.call('again', { ...post, body: evict('evicted') });
}

/** Five field managers write one object, each with a different verb. */
async function writers(api: Recorder): Promise<void> {
  const collection = `/api/v1/namespaces/${api.namespace}/configmaps`;
  const path = `${collection}/written`;
  const object = (data: JsonObject): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'written' },
    data,
  });
  const by = (fieldManager: string): { query: { fieldManager: string } } => ({
    query: { fieldManager },
  });
  const apply = { method: 'PATCH', path, contentType: 'application/apply-patch+yaml' } as const;
  await api.call('created', {
    method: 'POST',
    path: collection,
    ...by('a'),
    body: object({ a: '1' }),
  });
  await api.call('put', { method: 'PUT', path, ...by('b'), body: object({ a: '1', b: '2' }) });
  const patch = { method: 'PATCH', path, contentType: MERGE } as const;
  await api.call('patched', { ...patch, ...by('c'), body: { data: { c: '3' } } });
  await api.call('applied', { ...apply, ...by('d'), body: object({ d: '4', a: '1' }) });
  await api.call('conflict', { ...apply, ...by('e'), body: object({ a: '2', b: '3', c: '4' }) });
  const force = { query: { fieldManager: 'e', force: 'true' } };
  await api.call('forced', { ...apply, ...force, body: object({ a: '2' }) });
  await api.call('applied without', { ...apply, ...by('d'), body: object({}) });
  await api.call('given up', { ...apply, ...by('e'), body: object({}) });
  const none = { metadata: { managedFields: [{}] } };
  await api.call('owners cleared', { ...patch, ...by('c'), body: none });
  await api.call('applied to the unowned', { ...apply, ...by('d'), body: object({ b: '9' }) });
}

export const podScenarios: readonly Scenario[] = [
  { name: 'written binding', run: binding },
  { name: 'written eviction', run: eviction },
  { name: 'written owners', run: writers },
];
