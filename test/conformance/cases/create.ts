/** POST: the stored object, and the requests that the server refuses. */
import { textAt } from '../../../src/kube/fields.ts';
import type { Answer, Call } from '../scenario.ts';
import { merged, meta, type Subject } from '../sample.ts';

export async function createCase(subject: Subject): Promise<void> {
  await goodOnes(subject);
  await badNames(subject);
  await badBodies(subject);
  await badTypes(subject);
}

async function goodOnes(subject: Subject): Promise<void> {
  const { api, collection } = subject;
  const post = { method: 'POST', path: collection } as const;
  await api.call('create', { ...post, body: subject.object('create-a') });
  await api.call('create again', { ...post, body: subject.object('create-a') });
  const dry = { ...post, query: { dryRun: 'All', fieldManager: 'someone' } };
  await api.call('dry run', { ...dry, body: subject.object('create-dry') });
  await api.call('dry run left nothing', { path: subject.path('create-dry') });
  await api.call('dry run of one that exists', { ...dry, body: subject.object('create-a') });
  if (subject.sample.nameOf === undefined) {
    const generated = merged(subject.object('create-a'), {
      metadata: { name: null, generateName: subject.named('create-generated-') },
    });
    await api.call('generated name', { ...post, body: generated });
  }
  const ignored = {
    metadata: {
      uid: '11111111-2222-3333-4444-555555555555',
      creationTimestamp: '2020-01-01T00:00:00Z',
      generation: 7,
      annotations: { 'example.com/note': 'kept' },
      finalizers: ['example.com/hold'],
    },
  };
  await api.call('system fields are not taken', {
    ...dry,
    body: subject.object('create-system', ignored),
  });
  await api.call('yaml', {
    ...dry,
    body: yamlOf(subject.object('create-yaml')),
    contentType: 'application/yaml',
  });
}

/** The object as YAML. A comment is added because without it the text would also be valid JSON. */
function yamlOf(object: object): string {
  return `# as a manifest\n${JSON.stringify(object)}\n`;
}

async function badNames(subject: Subject): Promise<void> {
  const { api, collection, sample } = subject;
  const post = async (step: string, metadata: Call['body'] & object): Promise<Answer> =>
    api.call(step, {
      method: 'POST',
      path: collection,
      body: { ...subject.object('create-bad'), metadata: metadata as never },
    });
  /** Deletes an accepted object, so that the next run does not find it: some cluster-scoped kinds accept any name. */
  const postPassing = async (step: string, metadata: Call['body'] & object): Promise<void> => {
    const { status, body } = await post(step, metadata);
    if (status !== 201 || sample.namespaced) return;
    await api.setUp({ method: 'DELETE', path: `${collection}/${textAt(meta(body), 'name')}` });
  };
  await postPassing('no name', {});
  await postPassing('bad name', { name: 'Not_A-Name' });
  await postPassing('long name', { name: 'n'.repeat(254) });
  await postPassing('bad generated name', { generateName: 'Bad_' });
  const name = subject.named('create-bad');
  await post('bad labels', { name, labels: { good: 'not good!' } });
  await post('bad annotations', { name, annotations: { '-bad': 'x' } });
  await post('bad finalizers', { name, finalizers: ['not a name'] });
  await post('bad owners', {
    name,
    ownerReferences: [{ apiVersion: 'v1', kind: '', name: '' }] as never,
  });
  await post('namespace of another', { name, namespace: 'elsewhere' });
  await post('resource version set', { name, resourceVersion: '12' });
}

async function badBodies(subject: Subject): Promise<void> {
  const { api, collection } = subject;
  const { kind } = subject.sample;
  const post = { method: 'POST', path: collection } as const;
  const good = subject.object('create-body');
  const dry = { dryRun: 'All' };
  await api.call('empty body', { ...post, body: '' });
  await api.call('broken JSON', { ...post, body: '{"apiVersion": ' });
  await api.call('an array', { ...post, body: [] });
  await api.call('no kind', { ...post, query: dry, body: merged(good, { kind: null }) });
  await api.call('another kind', { ...post, body: merged(good, { kind: `${kind}s` }) });
  await api.call('another group', {
    ...post,
    body: merged(good, { apiVersion: 'example.com/v1' }),
  });
  await api.call('no version', { ...post, query: dry, body: merged(good, { apiVersion: null }) });
  await api.call('media type', { ...post, body: JSON.stringify(good), contentType: 'text/plain' });
  await api.call('dry run value', { ...post, query: { dryRun: 'Some' }, body: good });
  await api.call('field manager', {
    ...post,
    query: { fieldManager: 'x'.repeat(129) },
    body: good,
  });
  const unknown = merged(good, { colour: 'red' });
  await api.call('unknown field', { ...post, query: dry, body: unknown });
  const ignore = { ...dry, fieldValidation: 'Ignore' };
  await api.call('unknown field ignored', { ...post, query: ignore, body: unknown });
  const strict = { ...dry, fieldValidation: 'Strict' };
  await api.call('unknown field refused', { ...post, query: strict, body: unknown });
  if (!subject.sample.namespaced) return;
  const path = subject.collectionIn('no-such-namespace');
  await api.call('no such namespace', { ...post, path, body: good });
}

async function badTypes(subject: Subject): Promise<void> {
  const { api, collection, sample } = subject;
  const post = { method: 'POST', path: collection } as const;
  await api.call('wrong type', { ...post, body: subject.object('create-type', sample.wrongType) });
  // A dry run, so that an accepted object does not conflict with the next one.
  const dry = { ...post, query: { dryRun: 'All' } };
  for (const [what, over] of Object.entries(sample.invalid)) {
    await api.call(`invalid: ${what}`, { ...dry, body: subject.object('create-invalid', over) });
  }
}
