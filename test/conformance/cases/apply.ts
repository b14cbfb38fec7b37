/** Server-side apply: ownership of fields, conflicts, and releasing fields. */
import type { JsonObject } from '../../../src/kube/object.ts';
import type { Answer, Call } from '../scenario.ts';
import { merged, type Subject } from '../sample.ts';

const APPLY = 'application/apply-patch+yaml';

type Apply = (step: string, over: JsonObject, query: Record<string, string>) => Promise<Answer>;

export async function applyCase(subject: Subject): Promise<void> {
  const { api, sample } = subject;
  const path = subject.path('apply-a');
  const apply: Apply = (step, over, query) =>
    send(subject, step, { path, query, body: subject.object('apply-a', over) });
  const one = { fieldManager: 'one' };
  await apply('creates', label('a'), one);
  await apply('again', label('a'), one);
  await apply('changes', merged(label('a'), sample.change), one);
  await apply('by another, the same', label('a'), { fieldManager: 'two' });
  await apply('conflict', label('b'), { fieldManager: 'two' });
  await apply('force', label('b'), { fieldManager: 'two', force: 'true' });
  await apply('gives up', {}, { fieldManager: 'two' });
  const patch = { metadata: { labels: { applied: 'c' }, annotations: { 'example.com/n': '1' } } };
  await api.call('written between', {
    method: 'PATCH',
    path,
    query: { fieldManager: 'three' },
    body: patch,
    contentType: 'application/merge-patch+json',
  });
  await apply('conflict with a write', label('d'), one);
  await apply('dry run', label('d'), { ...one, force: 'true', dryRun: 'All' });
  await api.call('what is left', { path });
  await refusals(subject, apply);
}

function label(value: string): JsonObject {
  return { metadata: { labels: { applied: value } } };
}

function send(subject: Subject, step: string, call: Omit<Call, 'method'>): Promise<Answer> {
  return subject.api.call(step, { method: 'PATCH', contentType: APPLY, ...call });
}

async function refusals(subject: Subject, apply: Apply): Promise<void> {
  const { sample } = subject;
  const query = { fieldManager: 'one', force: 'true' };
  const path = subject.path('apply-a');
  await apply('no manager', {}, {});
  await apply('managed fields', { metadata: { managedFields: [] } }, query);
  await apply(
    'managed fields of somebody',
    { metadata: { managedFields: [{ manager: 'x' }] } },
    query,
  );
  await apply('another name', { metadata: { name: 'b' } }, query);
  await apply('another kind', { kind: 'Nothing' }, query);
  await apply('no kind', { kind: null }, query);
  await apply('no version', { apiVersion: null }, query);
  await apply('old revision', { metadata: { resourceVersion: '1' } }, query);
  await apply('unknown field', { colour: 'red' }, query);
  await apply('wrong type', sample.wrongType, query);
  await send(subject, 'broken', { path, query, body: 'a: [' });
  for (const [what, over] of Object.entries({ ...sample.invalid, ...sample.immutable })) {
    await apply(`refused: ${what}`, over, { ...query, dryRun: 'All' });
  }
  const yaml = `# created as YAML\n${JSON.stringify(subject.object('apply-yaml'))}\n`;
  await send(subject, 'yaml', { path: subject.path('apply-yaml'), query, body: yaml });
}
