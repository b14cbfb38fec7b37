/** GET of objects and collections: selectors, pages, and the forms of the answer that a client can request. */
import { meta, type Subject } from '../sample.ts';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

export async function readCase(subject: Subject): Promise<void> {
  const { api } = subject;
  for (const [index, name] of ['read-b', 'read-a', 'read-c'].entries()) {
    await subject.create(name, { metadata: { labels: labels(subject, String(index)) } });
  }
  await api.call('get', { path: subject.path('read-a') });
  await api.call('get what is not there', { path: subject.path('read-z') });
  await shapes(subject);
  await selectors(subject);
  await pages(subject);
  await revisions(subject);
}

function labels({ api }: Subject, n: string): Record<string, string> {
  return { run: api.namespace, n, case: `read-${api.namespace}` };
}

const own = ({ api }: Subject): string => `case=read-${api.namespace}`;

async function shapes(subject: Subject): Promise<void> {
  const { api, collection } = subject;
  const object = { path: subject.path('read-a') };
  await api.call('get as a table', { ...object, accept: TABLE });
  await api.call('get as metadata', { ...object, accept: PARTIAL });
  await api.call('get as metadata or whole', { ...object, accept: `${PARTIAL},application/json` });
  await api.call('get as nothing known', { ...object, accept: 'application/x-unknown' });
  await api.call('get as a list of metadata', { ...object, accept: PARTIAL_LIST });
  const list = { path: collection, query: { labelSelector: own(subject) } };
  await api.call('list as a table', { ...list, accept: `${TABLE},application/json` });
  await api.call('list as a table with objects', {
    path: collection,
    query: { ...list.query, includeObject: 'Object' },
    accept: TABLE,
  });
  await api.call('list as a table without objects', {
    path: collection,
    query: { ...list.query, includeObject: 'None' },
    accept: TABLE,
  });
  await api.call('list as metadata', { ...list, accept: PARTIAL_LIST });
  await api.call('list as single metadata', { ...list, accept: PARTIAL });
}

async function selectors(subject: Subject): Promise<void> {
  const { api, collection, sample } = subject;
  const list = (step: string, query: Record<string, string>): Promise<unknown> =>
    api.call(step, { path: collection, query });
  const mine = own(subject);
  await list('list', { labelSelector: mine });
  for (const [what, term] of Object.entries({
    equal: 'n=1',
    'not equal': 'n!=1',
    in: 'n in (0,2)',
    'not in': 'n notin (0,2)',
    exists: 'n',
    'does not exist': '!n',
    greater: 'n>0',
    less: 'n<1',
  })) {
    await list(`label ${what}`, { labelSelector: `${mine},${term}` });
  }
  await list('label selector, broken', { labelSelector: 'n in (' });
  await list('label selector, bad value', { labelSelector: 'n=not good!' });
  await list('label selector, bad key', { labelSelector: '-n=1' });
  const name = subject.named('read-a');
  await list('field name', { fieldSelector: `metadata.name=${name}` });
  await list('field name, not', { fieldSelector: `metadata.name!=${name}`, labelSelector: mine });
  await list('field, unknown', { fieldSelector: 'spec.colour=red' });
  await list('field selector, broken', { fieldSelector: 'metadata.name' });
  for (const [index, selector] of (sample.fieldSelectors ?? []).entries()) {
    await list(`field selector ${index + 1}`, { fieldSelector: selector, labelSelector: mine });
  }
  if (!sample.namespaced) return;
  const all = `${subject.root}/${sample.plural}`;
  await api.call('list everywhere', { path: all, query: { labelSelector: mine } });
  const elsewhere = { fieldSelector: 'metadata.namespace=elsewhere', labelSelector: mine };
  await api.call('list everywhere, in another namespace', { path: all, query: elsewhere });
}

async function pages(subject: Subject): Promise<void> {
  const { api, collection } = subject;
  const query = { labelSelector: own(subject), limit: '2' };
  const first = await api.call('first page', { path: collection, query });
  const { continue: token } = meta(first.body);
  if (typeof token === 'string') {
    const next = { ...query, continue: token };
    await api.call('second page', { path: collection, query: next });
    const revision = { ...next, resourceVersion: '1' };
    await api.call('second page, with a revision', { path: collection, query: revision });
  }
  await api.call('bad token', { path: collection, query: { ...query, continue: 'nonsense' } });
  await api.call('bad limit', { path: collection, query: { limit: 'many' } });
}

async function revisions(subject: Subject): Promise<void> {
  const { api, collection } = subject;
  const labelSelector = own(subject);
  const list = (step: string, query: Record<string, string>): Promise<unknown> =>
    api.call(step, { path: collection, query: { labelSelector, ...query } });
  await list('list, bad revision', { resourceVersion: 'x' });
  await list('list, match without revision', { resourceVersionMatch: 'Exact' });
  await list('list, unknown match', { resourceVersion: '1', resourceVersionMatch: 'About' });
  await list('list, exactly nothing', { resourceVersion: '0', resourceVersionMatch: 'Exact' });
  const before = await api.setUp({ path: collection, query: { labelSelector } });
  const { resourceVersion = '' } = meta(before.body) as { resourceVersion?: string };
  await api.setUp({ method: 'DELETE', path: subject.path('read-c') });
  await list('list now', {});
  await list('list of before', { resourceVersion, resourceVersionMatch: 'Exact' });
  await list('list not older', {
    resourceVersion,
    resourceVersionMatch: 'NotOlderThan',
    limit: '9',
  });
}
