/** The status and scale subresources: which fields a write to one of them leaves unchanged. */
import type { JsonObject } from '../../../src/kube/object.ts';
import { merged, type Subject } from '../sample.ts';

const MERGE = 'application/merge-patch+json';

export async function statusCase(subject: Subject): Promise<void> {
  const { api, sample } = subject;
  const created = await subject.create('status-a');
  const path = `${subject.path('status-a')}/status`;
  await api.call('get', { path });
  const status = sample.status ?? {};
  const free = (object: JsonObject): JsonObject =>
    merged(object, { metadata: { resourceVersion: null } });
  const both = free(merged(merged(created, sample.change), { status }));
  const labelled = { metadata: { labels: { written: 'with-the-status' } } };
  await api.call('put', { method: 'PUT', path, body: merged(both, labelled) });
  await api.call('put to the object', {
    method: 'PUT',
    path: subject.path('status-a'),
    body: both,
  });
  const patch = { method: 'PATCH', path, contentType: MERGE } as const;
  await api.call('patch', { ...patch, body: { status } });
  await api.call('patch of nothing', { ...patch, body: { status: null } });
  await api.call('patch of both', { ...patch, body: merged({ status }, sample.change) });
  await api.call('dry run', { ...patch, query: { dryRun: 'All' }, body: { status: null } });
  await api.call('apply', {
    method: 'PATCH',
    path,
    query: { fieldManager: 'applier', force: 'true' },
    body: { ...subject.object('status-a'), status },
    contentType: 'application/apply-patch+yaml',
  });
  await api.call('wrong type', { ...patch, body: { status: 'good' } });
  await api.call('old revision', {
    method: 'PUT',
    path,
    body: merged(created, { status, metadata: { resourceVersion: '1' } }),
  });
  await api.call('the object', { path: subject.path('status-a') });
  const missing = `${subject.path('status-z')}/status`;
  await api.call('of what is not there', { ...patch, path: missing, body: { status } });
  await api.call('post', { method: 'POST', path, body: both });
  await api.call('delete', { method: 'DELETE', path });
}

export async function scaleCase(subject: Subject): Promise<void> {
  const { api } = subject;
  await subject.create('scale-a');
  const path = `${subject.path('scale-a')}/scale`;
  const { body } = await api.call('get', { path });
  const free = merged(body, { metadata: { resourceVersion: null } });
  await api.call('put', { method: 'PUT', path, body: merged(free, { spec: { replicas: 3 } }) });
  await api.call('put of an older revision', {
    method: 'PUT',
    path,
    body: merged(body, { spec: { replicas: 4 } }),
  });
  await api.call('put of fewer than none', {
    method: 'PUT',
    path,
    body: merged(free, { spec: { replicas: -1 } }),
  });
  const another = { kind: 'Deployment', apiVersion: 'apps/v1' };
  await api.call('put of another kind', { method: 'PUT', path, body: merged(free, another) });
  const patch = { method: 'PATCH', path, contentType: MERGE } as const;
  await api.call('patch', { ...patch, body: { spec: { replicas: 2 } } });
  await api.call('patch of fewer than none', { ...patch, body: { spec: { replicas: -2 } } });
  const query = { dryRun: 'All', fieldManager: 'scaler' };
  await api.call('dry run', { ...patch, query, body: { spec: { replicas: 9 } } });
  const json = [{ op: 'replace', path: '/spec/replicas', value: 5 }];
  await api.call('json patch', {
    ...patch,
    body: json,
    contentType: 'application/json-patch+json',
  });
  await api.call('the object', { path: subject.path('scale-a') });
  await api.call('of what is not there', { path: `${subject.path('scale-z')}/scale` });
  await api.call('delete', { method: 'DELETE', path });
}
