/** Scenarios of kinds that only answer a request, and are never stored. */
import type { JsonObject } from '../../../src/kube/object.ts';
import type { Recorder } from '../recorder.ts';
import type { Scenario } from '../scenario.ts';

async function access(api: Recorder): Promise<void> {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const review = (spec: JsonObject): JsonObject => ({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec,
  });
  const attributes = { namespace: api.namespace, verb: 'get', resource: 'pods' };
  const ask = (step: string, spec: JsonObject): Promise<unknown> =>
    api.call(step, { method: 'POST', path, body: review(spec) });
  await ask('may', { resourceAttributes: attributes });
  await ask('may read a path', { nonResourceAttributes: { path: '/version', verb: 'get' } });
  await ask('of nothing', {});
  await ask('of both', {
    resourceAttributes: attributes,
    nonResourceAttributes: { path: '/version', verb: 'get' },
  });
  await ask('wrong type', { resourceAttributes: 'all' });
  const dry = { dryRun: 'All' };
  const body = review({ resourceAttributes: attributes });
  await api.call('dry run', { method: 'POST', path, query: dry, body });
  await api.call('get', { path: `${path}/a` });
  await api.call('list', { path });
  await api.call('delete', { method: 'DELETE', path: `${path}/a` });
  await api.call('empty', { method: 'POST', path, body: '' });
}

async function tokens(api: Recorder): Promise<void> {
  const path = '/apis/authentication.k8s.io/v1/tokenreviews';
  const ask = (step: string, spec: JsonObject): Promise<unknown> =>
    api.call(step, {
      method: 'POST',
      path,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec },
    });
  await ask('unknown', { token: 'nobody' });
  await ask('none', {});
  await ask('wrong type', { token: 7 });
  await api.call('list', { path });
}

async function myself(api: Recorder): Promise<void> {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const post = { method: 'POST', path } as const;
  await api.call('who', { ...post, body });
  await api.call('dry run', { ...post, query: { dryRun: 'All' }, body });
  await api.call('as another', { ...post, body: { ...body, status: { userInfo: { uid: 'a' } } } });
  await api.call('with a name', { ...post, body: { ...body, metadata: { name: 'a' } } });
  await api.call('unknown field', { ...post, body: { ...body, spec: {} } });
  await api.call('unknown field, strictly', {
    ...post,
    query: { fieldValidation: 'Strict' },
    body: { ...body, spec: {} },
  });
  await api.call('wrong type', { ...post, body: { ...body, status: 'me' } });
  await api.call('another kind', { ...post, body: { ...body, kind: 'TokenReview' } });
  await api.call('empty', { ...post, body: '' });
  await api.call('get', { path: `${path}/a` });
  await api.call('list', { path });
  await api.call('delete', { method: 'DELETE', path: `${path}/a` });
}

/** Requests tokens of service accounts. The namespace of the run has only the default account, without a token. */
async function accountTokens(api: Recorder): Promise<void> {
  const path = `/api/v1/namespaces/${api.namespace}/serviceaccounts/default/token`;
  const ask = (step: string, spec: JsonObject, where: string = path): Promise<unknown> =>
    api.call(step, {
      method: 'POST',
      path: where,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec },
    });
  await ask('too short', { expirationSeconds: 10 });
  await ask('bound to nothing known', {
    boundObjectRef: { kind: 'Dog', apiVersion: 'v1', name: 'a' },
  });
  await ask('of nobody', {}, path.replace('/default/', '/nobody/'));
  await api.call('get', { path });
}

export const reviewScenarios: readonly Scenario[] = [
  { name: 'reviews access', run: access },
  { name: 'reviews tokens', run: tokens },
  { name: 'reviews myself', run: myself },
  { name: 'reviews account-tokens', run: accountTokens },
];
