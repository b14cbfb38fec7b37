/** PATCH as JSON patch, merge patch and strategic merge patch. */
import type { JsonObject } from '../../../src/kube/object.ts';
import type { Call } from '../scenario.ts';
import { type Subject, meta } from '../sample.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

type Send = (step: string, contentType: string, body: Call['body']) => Promise<unknown>;

export async function patchCase(subject: Subject): Promise<void> {
  const { api } = subject;
  await subject.create('patch-a', { metadata: { annotations: { first: '1' } } });
  const path = subject.path('patch-a');
  const send: Send = (step, contentType, body) =>
    api.call(step, { method: 'PATCH', path, contentType, ...(body === undefined ? {} : { body }) });
  await jsonPatches(send);
  await mergePatches(subject, send);
  await strategicPatches(subject, send);
  const label = { metadata: { labels: { late: 'yes' } } };
  const missing = { method: 'PATCH', path: subject.path('patch-z'), body: label } as const;
  await api.call('of what is not there', { ...missing, contentType: MERGE });
  await send('media type', 'application/json', label);
  await send('media type, unknown', 'text/plain', JSON.stringify(label));
  const dry = { method: 'PATCH', path, body: label, contentType: MERGE } as const;
  await api.call('dry run', { ...dry, query: { dryRun: 'All' } });
  await api.call('force', { ...dry, query: { force: 'true' } });
  await api.call('by another manager', { ...dry, query: { fieldManager: 'another' } });
  await api.call('what is left', { path });
}

async function jsonPatches(send: Send): Promise<void> {
  const label = '/metadata/labels/json';
  await send('json: add', JSON_PATCH, [{ op: 'add', path: label, value: 'a' }]);
  await send('json: replace and test', JSON_PATCH, [
    { op: 'test', path: label, value: 'a' },
    { op: 'replace', path: label, value: 'b' },
  ]);
  await send('json: nothing', JSON_PATCH, []);
  await send('json: copy and move', JSON_PATCH, [
    { op: 'copy', from: label, path: '/metadata/labels/copied' },
    { op: 'move', from: label, path: '/metadata/labels/moved' },
  ]);
  await send('json: remove', JSON_PATCH, [{ op: 'remove', path: '/metadata/labels/moved' }]);
  await send('json: test fails', JSON_PATCH, [{ op: 'test', path: label, value: 'z' }]);
  await send('json: no such path', JSON_PATCH, [{ op: 'remove', path: '/metadata/labels/none' }]);
  await send('json: unknown operation', JSON_PATCH, [{ op: 'mix', path: label }]);
  await send('json: not a list', JSON_PATCH, { op: 'add' });
  await send('json: broken', JSON_PATCH, '[{');
  await send('json: wrong type', JSON_PATCH, [{ op: 'replace', path: '/metadata', value: 'x' }]);
}

async function mergePatches(subject: Subject, send: Send): Promise<void> {
  const { api, sample } = subject;
  await send('merge: label', MERGE, { metadata: { labels: { merged: 'yes' } } });
  await send('merge: label again', MERGE, { metadata: { labels: { merged: 'yes' } } });
  await send('merge: remove', MERGE, { metadata: { labels: { merged: null } } });
  await send('merge: change', MERGE, sample.change);
  await send('merge: empty', MERGE, {});
  await send('merge: not an object', MERGE, []);
  await send('merge: broken', MERGE, '{');
  await send('merge: name', MERGE, { metadata: { name: 'other' } });
  await send('merge: namespace', MERGE, { metadata: { namespace: 'other' } });
  await send('merge: old revision', MERGE, { metadata: { resourceVersion: '1' } });
  const { body } = await api.setUp({ path: subject.path('patch-a') });
  const { resourceVersion = '', uid = '' } = meta(body);
  await send('merge: known revision', MERGE, {
    metadata: { resourceVersion, labels: { known: 'yes' } },
  });
  await send('merge: identity', MERGE, { metadata: { uid } });
  const other = '11111111-2222-3333-4444-555555555555';
  await send('merge: another identity', MERGE, { metadata: { uid: other } });
  await send('merge: kind', MERGE, { kind: 'Nothing' });
  await send('merge: unknown field', MERGE, { colour: 'red' });
  await send('merge: wrong type', MERGE, sample.wrongType);
  for (const [what, over] of Object.entries({ ...sample.invalid, ...sample.immutable })) {
    const path = subject.path('patch-a');
    const query = { dryRun: 'All' };
    const patch = { method: 'PATCH', path, query, contentType: MERGE, body: over } as const;
    await api.call(`merge: refused: ${what}`, patch);
  }
}

async function strategicPatches(subject: Subject, send: Send): Promise<void> {
  const cases: Record<string, JsonObject> = {
    label: { metadata: { labels: { strategic: 'yes' } } },
    'remove a label': { metadata: { labels: { strategic: null } } },
    'replace the labels': {
      metadata: { labels: { $patch: 'replace', run: subject.api.namespace, only: 'this' } },
    },
    finalizers: { metadata: { finalizers: ['example.com/a', 'example.com/b'] } },
    'remove a finalizer': {
      metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] },
    },
    'remove the other': { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/b'] } },
    'unknown directive': { metadata: { labels: { $patch: 'mix' } } },
    change: subject.sample.change,
    ...subject.sample.strategic,
  };
  for (const [what, body] of Object.entries(cases))
    await send(`strategic: ${what}`, STRATEGIC, body);
  await send('strategic: broken', STRATEGIC, '{');
  await send('strategic: not an object', STRATEGIC, []);
}
