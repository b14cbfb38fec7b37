/**
 * Effects of controllers on API objects: garbage collection, and the end of a namespace. Each cluster has its own pace,
 * so a scenario reads only the complete result.
 */
import type { JsonObject } from '../../../src/kube/object.ts';
import type { Recorder } from '../recorder.ts';
import { meta } from '../sample.ts';
import type { Answer, Scenario } from '../scenario.ts';

const isDeleted = ({ status }: Answer): boolean => status === 404;
const isFree = ({ status, body }: Answer): boolean =>
  status === 200 && meta(body)['ownerReferences'] === undefined;

function mapsIn(api: Recorder, namespace: string = api.namespace): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

async function makeMap(api: Recorder, metadata: JsonObject, path: string): Promise<JsonObject> {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  return (await api.setUp({ method: 'POST', path, body })).body;
}

/** Creates an owner with two dependents, one of which blocks the owner's foreground deletion. */
async function makeFamily(api: Recorder, name: string): Promise<void> {
  const path = mapsIn(api);
  const { uid = '' } = meta(await makeMap(api, { name }, path));
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name, uid };
  await makeMap(api, { name: `${name}-a`, ownerReferences: [owner] }, path);
  const blocking = { ...owner, controller: true, blockOwnerDeletion: true };
  await makeMap(api, { name: `${name}-b`, ownerReferences: [blocking] }, path);
}

async function collection(api: Recorder): Promise<void> {
  const path = mapsIn(api);
  for (const policy of ['Background', 'Foreground', 'Orphan']) {
    const name = policy.toLowerCase();
    await makeFamily(api, name);
    const query = { propagationPolicy: policy };
    await api.call(policy, { method: 'DELETE', path: `${path}/${name}`, query });
    await api.eventually(`${policy}: the owner`, { path: `${path}/${name}` }, isDeleted);
    const done = policy === 'Orphan' ? isFree : isDeleted;
    for (const child of ['a', 'b']) {
      const where = { path: `${path}/${name}-${child}` };
      await api.eventually(`${policy}: ${child}`, where, done);
    }
  }
  const absent = { apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: NOBODY };
  await makeMap(api, { name: 'astray', ownerReferences: [absent] }, path);
  await api.eventually('of an owner that never was', { path: `${path}/astray` }, isDeleted);
}

const NOBODY = '11111111-2222-3333-4444-555555555555';

async function namespaceEnd(api: Recorder): Promise<void> {
  const name = `${api.namespace}-ending`;
  const path = `/api/v1/namespaces/${name}`;
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await api.setUp({ method: 'POST', path: '/api/v1/namespaces', body });
  const maps = mapsIn(api, name);
  await makeMap(api, { name: 'plain' }, maps);
  await makeMap(api, { name: 'held', finalizers: ['example.com/hold'] }, maps);
  await api.setUp({ method: 'DELETE', path });
  const held = { path: `${maps}/held` };
  await api.eventually('plain content', { path: `${maps}/plain` }, isDeleted);
  await api.eventually('held content', held, ({ body: map }) => 'deletionTimestamp' in meta(map));
  const late = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late' } };
  await api.call('nothing new', { method: 'POST', path: maps, body: late });
  await api.setUp({
    method: 'PATCH',
    ...held,
    body: { metadata: { finalizers: null } },
    contentType: 'application/merge-patch+json',
  });
  await api.eventually('the namespace', { path }, isDeleted);
}

export const liveScenarios: readonly Scenario[] = [
  { name: 'live garbage-collection', live: true, run: collection },
  { name: 'live namespace-end', live: true, run: namespaceEnd },
];
