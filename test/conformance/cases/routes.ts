/** Verbs and paths that do not exist. */
import type { Call } from '../scenario.ts';
import type { Subject } from '../sample.ts';

export async function routesCase(subject: Subject): Promise<void> {
  const { api, collection, sample } = subject;
  const path = subject.path('routes-a');
  const body = subject.object('routes-a');
  const ask = (step: string, method: Call['method'] & string, where: string): Promise<unknown> =>
    api.call(step, { method, path: where, ...(method === 'GET' ? {} : { body }) });
  await ask('post to a name', 'POST', path);
  await ask('put to a collection', 'PUT', collection);
  await ask('patch of a collection', 'PATCH', collection);
  await ask('get of an unknown subresource', 'GET', `${path}/nothing`);
  await ask('put to an unknown subresource', 'PUT', `${path}/nothing`);
  await ask('delete of an unknown subresource', 'DELETE', `${path}/nothing`);
  await ask('deeper', 'GET', `${path}/nothing/at/all`);
  await ask('an unknown resource', 'GET', `${collection}x`);
  await ask('an unknown version', 'GET', `${subject.root}beta9/${sample.plural}`);
  if (sample.status === undefined) await ask('no status', 'GET', `${path}/status`);
  if (sample.scale !== true) await ask('no scale', 'GET', `${path}/scale`);
  if (sample.namespaced) {
    await ask('post without a namespace', 'POST', `${subject.root}/${sample.plural}`);
    await ask('delete without a namespace', 'DELETE', `${subject.root}/${sample.plural}`);
    await ask('a name without a namespace', 'GET', `${subject.root}/${sample.plural}/a`);
  } else {
    const inside = `${subject.root}/namespaces/${api.namespace}/${sample.plural}`;
    await ask('within a namespace', 'GET', inside);
    await ask('post within a namespace', 'POST', inside);
  }
}
