/** Watches: from a revision and from the start, of all objects and of selected ones. */
import type { JsonObject } from '../../../src/kube/object.ts';
import { at } from '../../../src/kube/fields.ts';
import type { WatchEvent } from '../recorder.ts';
import { meta, type Subject } from '../sample.ts';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';

export async function watchCase(subject: Subject): Promise<void> {
  const { api, collection } = subject;
  const query = { labelSelector: `run=${api.namespace}` };
  const before = await api.setUp({ path: collection, query });
  const { resourceVersion = '' } = meta(before.body) as { resourceVersion?: string };
  const last = lastOf(subject);
  const from = { ...query, resourceVersion };
  await api.watch(
    'as it happens',
    { path: collection, query: from },
    { last, during: () => changes(subject) },
  );
  const again = (step: string, more: Record<string, string>, accept?: string): Promise<unknown> =>
    api.watch(
      step,
      {
        path: collection,
        query: { ...from, ...more },
        ...(accept === undefined ? {} : { accept }),
      },
      { last },
    );
  await again('again, from before', {});
  await again('as metadata', {}, PARTIAL);
  await again('as tables', {}, TABLE);
  await again('one object', { fieldSelector: `metadata.name=${subject.named('watch-end')}` });
  await again('what a label takes', { labelSelector: `run=${api.namespace},watched=yes` });
  await again('what a label does not take', { labelSelector: `run=${api.namespace},watched!=yes` });
  await again('bad revision', { resourceVersion: 'x' });
  await again('bad selector', { labelSelector: 'a in (' });
  await fromTheBeginning(subject);
}

async function changes(subject: Subject): Promise<void> {
  const { api } = subject;
  const patch = (name: string, body: JsonObject): Promise<unknown> =>
    api.setUp({
      method: 'PATCH',
      path: subject.path(name),
      body,
      contentType: 'application/merge-patch+json',
    });
  await subject.create('watch-a', { metadata: { labels: { watched: 'yes' } } });
  await subject.create('watch-b');
  await patch('watch-a', subject.sample.change);
  await patch('watch-a', { metadata: { labels: { watched: 'no' } } });
  await patch('watch-b', { metadata: { labels: { watched: 'yes' } } });
  await patch('watch-b', { metadata: { labels: { watched: 'yes' } } });
  await patch('watch-a', { metadata: { labels: { watched: 'yes' } } });
  await api.setUp({ method: 'DELETE', path: subject.path('watch-a'), query: NOW });
  await subject.create('watch-end', {
    metadata: { labels: { watched: 'yes' } },
  });
  await patch('watch-end', { metadata: { labels: { watched: 'no' } } });
  await patch('watch-end', {
    metadata: { labels: { watched: 'yes' }, annotations: { end: 'yes' } },
  });
}

const NOW = { gracePeriodSeconds: '0' };

/** Whether an event is the last one of the case. In a Table, the object is in the row. */
function lastOf(subject: Subject): (event: WatchEvent) => boolean {
  const name = subject.named('watch-end');
  return ({ type, object }) => {
    const [row] = (object['rows'] ?? []) as { object: JsonObject }[];
    const { name: found, annotations, labels } = meta(row?.object ?? object);
    if (found !== name) return false;
    if (at(annotations, 'end') === 'yes') return true;
    // When the selector no longer matches, the DELETED event has the previous state of the object.
    return type === 'DELETED' && at(labels, 'watched') === 'no';
  };
}

async function fromTheBeginning(subject: Subject): Promise<void> {
  const { api, collection } = subject;
  const labelSelector = `run=${api.namespace},watched=yes`;
  const added = (event: WatchEvent): boolean =>
    event.type === 'ADDED' && meta(event.object)['name'] === subject.named('watch-end');
  // The order of the first events is undefined, so only one object is watched.
  const one = { labelSelector, fieldSelector: `metadata.name=${subject.named('watch-end')}` };
  await api.watch('from the beginning', { path: collection, query: one }, { last: added });
  const any = { ...one, resourceVersion: '0' };
  await api.watch('from any revision', { path: collection, query: any }, { last: added });
  await api.setUp({ method: 'DELETE', path: subject.path('watch-b'), query: NOW });
  await api.setUp({ method: 'DELETE', path: subject.path('watch-end'), query: NOW });
}
