/** PUT: updates, dry runs, revisions, field managers, and the requests that the server refuses. */
import { merged, meta, type Subject } from '../sample.ts';

export async function updateCase(subject: Subject): Promise<void> {
  const { api, sample } = subject;
  const created = await subject.create('update-a');
  const put = { method: 'PUT', path: subject.path('update-a') } as const;
  const same = await api.call('as it is', { ...put, body: created });
  const changed = await api.call('changed', { ...put, body: merged(same.body, sample.change) });
  await api.call('from an older revision', {
    ...put,
    body: merged(created, { metadata: { labels: { late: 'yes' } } }),
  });
  const { body: now } = changed;
  const dry = { ...put, query: { dryRun: 'All' } };
  await api.call('dry run', { ...dry, body: merged(now, labelled('dry')) });
  await api.call('dry run left nothing', { path: subject.path('update-a') });
  const over = { metadata: { resourceVersion: null, labels: { any: 'revision' } } };
  await api.call('without a revision', { ...put, body: merged(now, over) });
  await api.call('by another manager', {
    ...put,
    query: { fieldManager: 'another' },
    body: merged(now, { metadata: { resourceVersion: null, labels: { another: 'yes' } } }),
  });
  await identities(subject, now);
  await bodies(subject, now);
}

function labelled(value: string): { metadata: { labels: { written: string } } } {
  return { metadata: { labels: { written: value } } };
}

async function identities(subject: Subject, before: ReturnType<Subject['object']>): Promise<void> {
  const { api } = subject;
  const now = merged(before, { metadata: { resourceVersion: null } });
  const put = { method: 'PUT', path: subject.path('update-a') } as const;
  const other = '11111111-2222-3333-4444-555555555555';
  await api.call('of another identity', {
    ...put,
    body: merged(now, { metadata: { uid: other } }),
  });
  await api.call('of another name', { ...put, body: merged(now, { metadata: { name: 'b' } }) });
  await api.call('of no name', { ...put, body: merged(now, { metadata: { name: null } }) });
  const elsewhere = { metadata: { namespace: 'elsewhere' } };
  await api.call('of another namespace', { ...put, body: merged(now, elsewhere) });
  const text = { metadata: { resourceVersion: 'text' } };
  await api.call('of no known revision', { ...put, body: merged(now, text) });
  const born = { metadata: { creationTimestamp: '2020-01-01T00:00:00Z', generation: 99 } };
  await api.call('with another birth', { ...put, body: merged(now, born) });
  const path = subject.path('update-z');
  const missing = merged(now, { metadata: { name: subject.named('update-z'), uid: null } });
  await api.call('of what is not there', { ...put, path, body: missing });
  await api.call('of what is not there, with a revision', {
    ...put,
    path,
    body: merged(missing, { metadata: { resourceVersion: '1' } }),
  });
}

async function bodies(subject: Subject, before: ReturnType<Subject['object']>): Promise<void> {
  const { api, sample } = subject;
  const now = merged(before, { metadata: { resourceVersion: null } });
  const put = { method: 'PUT', path: subject.path('update-a') } as const;
  await api.call('empty body', { ...put, body: '' });
  await api.call('another kind', { ...put, body: merged(now, { kind: 'Nothing' }) });
  await api.call('wrong type', { ...put, body: merged(now, sample.wrongType) });
  for (const [what, over] of Object.entries({ ...sample.invalid, ...sample.immutable })) {
    const query = { dryRun: 'All' };
    await api.call(`refused: ${what}`, { ...put, query, body: merged(now, over) });
  }
  const { body: last } = await api.call('what is left', { path: subject.path('update-a') });
  const bare = subject.object('update-a', { metadata: { labels: null } });
  const { resourceVersion = '' } = meta(last);
  await api.call('as it was first given', {
    ...put,
    body: merged(bare, { metadata: { resourceVersion } }),
  });
}
