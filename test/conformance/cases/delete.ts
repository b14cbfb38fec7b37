/** DELETE of one object and of a collection: options, preconditions, finalizers. */
import type { JsonObject } from '../../../src/kube/object.ts';
import type { Answer } from '../scenario.ts';
import { meta, type Subject } from '../sample.ts';

const MERGE = 'application/merge-patch+json';
const OTHER = '11111111-2222-3333-4444-555555555555';

export async function deleteCase(subject: Subject): Promise<void> {
  const { api } = subject;
  await subject.create('delete-a');
  const remove = removing(subject, 'delete-a');
  await remove('dry run', { dryRun: ['All'] });
  await remove('another identity', { preconditions: { uid: OTHER } });
  await remove('another revision', { preconditions: { resourceVersion: '1' } });
  await remove('unknown policy', { propagationPolicy: 'Sideways' });
  await remove('policy and orphans', { propagationPolicy: 'Orphan', orphanDependents: true });
  await remove('grace that is none', { gracePeriodSeconds: 'soon' });
  await remove('another kind of options', { apiVersion: 'v1', kind: 'Pod' });
  await remove('unknown dry run', { dryRun: ['Some'] });
  await api.call('still there', { path: subject.path('delete-a') });
  const { uid = '' } = meta((await api.setUp({ path: subject.path('delete-a') })).body);
  await remove('with its identity', { preconditions: { uid }, gracePeriodSeconds: 0 });
  await remove('again', {});
  await api.call('without a body', { method: 'DELETE', path: subject.path('delete-z') });
  await finalizers(subject);
  // Skipped for webhook configurations: no webhook can keep the garbage collector from changing these.
  if (subject.sample.group !== 'admissionregistration.k8s.io') await policies(subject);
}

type Remove = (step: string, options: JsonObject) => Promise<Answer>;

function removing(subject: Subject, name: string): Remove {
  return (step, options) =>
    subject.api.call(step, {
      method: 'DELETE',
      path: subject.path(name),
      body: { apiVersion: 'v1', kind: 'DeleteOptions', ...options },
    });
}

async function finalizers(subject: Subject): Promise<void> {
  const { api } = subject;
  const path = subject.path('delete-held');
  await subject.create('delete-held', { metadata: { finalizers: ['example.com/hold'] } });
  const patch = (step: string, finalizer: readonly string[]): Promise<Answer> =>
    api.call(step, {
      method: 'PATCH',
      path,
      body: { metadata: { finalizers: [...finalizer] } },
      contentType: MERGE,
    });
  const remove = removing(subject, 'delete-held');
  await remove('held', { gracePeriodSeconds: 0 });
  await remove('held, again', { gracePeriodSeconds: 0 });
  await patch('another finalizer', ['example.com/hold', 'example.com/more']);
  await api.call('label while it goes', {
    method: 'PATCH',
    path,
    body: { metadata: { labels: { going: 'yes' } } },
    contentType: MERGE,
  });
  await api.call('create while it goes', {
    method: 'POST',
    path: subject.collection,
    body: subject.object('delete-held'),
  });
  await patch('let go', []);
  await api.call('after it was let go', { path });
}

async function policies(subject: Subject): Promise<void> {
  const { api } = subject;
  for (const policy of ['Orphan', 'Foreground', 'Background']) {
    const name = `delete-${policy.toLowerCase()}`;
    await subject.create(name);
    await removing(subject, name)(policy, { propagationPolicy: policy, gracePeriodSeconds: 0 });
    await api.call(`after ${policy}`, { path: subject.path(name) });
  }
  await subject.create('delete-query');
  await api.call('policy in the query', {
    method: 'DELETE',
    path: subject.path('delete-query'),
    query: { propagationPolicy: 'Background', gracePeriodSeconds: '0' },
  });
}

export async function collectionCase(subject: Subject): Promise<void> {
  const { api, collection } = subject;
  const label = `case=collection-${api.namespace}`;
  for (const name of ['collection-a', 'collection-b', 'collection-c']) {
    const labels = { case: `collection-${api.namespace}`, only: name };
    await subject.create(name, { metadata: { labels } });
  }
  const remove = { method: 'DELETE', path: collection } as const;
  const now = { gracePeriodSeconds: '0' };
  const query = { ...now, labelSelector: label };
  const listed = { path: collection, query: { labelSelector: label } };
  await api.call('dry run', { ...remove, query: { ...query, dryRun: 'All' } });
  await api.call('after the dry run', listed);
  await api.call('broken selector', { ...remove, query: { ...now, labelSelector: 'a in (' } });
  const field = { ...query, fieldSelector: `metadata.name=${subject.named('collection-b')}` };
  await api.call('by a field', { ...remove, query: field });
  await api.call('after the field', listed);
  await api.call('by a label', { ...remove, query });
  await api.call('after the label', listed);
  await api.call('of nothing', { ...remove, query });
  const unknown = { ...query, fieldSelector: 'spec.colour=red' };
  await api.call('by an unknown field', { ...remove, query: unknown });
}
