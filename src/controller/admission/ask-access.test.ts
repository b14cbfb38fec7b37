import { expect, it } from 'vitest';

import type { KubeClient, RawRequest } from '../../kube/client.ts';
import type { Json } from '../../kube/object.ts';
import { askAccess } from './ask-access.ts';

const { signal } = new AbortController();
const author = {
  username: 'system:serviceaccount:shop:dev',
  uid: '7',
  groups: ['system:authenticated'],
  extra: { 'example.com/scope': ['a', 'b'] },
};

function clientThat(answer: Json): { client: KubeClient; sent: RawRequest[] } {
  const sent: RawRequest[] = [];
  const raw = async (request: RawRequest): Promise<Json> => {
    sent.push(request);
    return answer;
  };
  return { client: { raw } as unknown as KubeClient, sent };
}

it('asks for the user as the API server has authenticated it, in one namespace', async () => {
  const { client, sent } = clientThat({ status: { allowed: true } });
  const question = { author, namespace: 'shop', resource: 'pods/exec' } as const;
  expect(await askAccess(client)(question, signal)).toBeNull();
  expect(sent[0]?.signal).toBe(signal);
  expect(sent).toMatchObject([
    {
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/namespaces/shop/localsubjectaccessreviews',
      timeoutMs: 3_000,
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'LocalSubjectAccessReview',
        metadata: { namespace: 'shop' },
        spec: {
          user: 'system:serviceaccount:shop:dev',
          uid: '7',
          groups: ['system:authenticated'],
          extra: { 'example.com/scope': ['a', 'b'] },
          resourceAttributes: {
            namespace: 'shop',
            verb: 'create',
            group: '',
            resource: 'pods',
            subresource: 'exec',
          },
        },
      },
    },
  ]);
});

it('asks for a user without a name, groups or extra fields if the request has none', async () => {
  const { client, sent } = clientThat({ status: { allowed: true } });
  await askAccess(client)({ author: {}, namespace: 'shop', resource: 'pods' }, signal);
  expect(sent[0]?.body).toMatchObject({ spec: { user: '', uid: '', groups: [], extra: {} } });
});

it('asks for a resource without a subresource', async () => {
  const { client, sent } = clientThat({ status: { allowed: true } });
  await askAccess(client)({ author, namespace: 'shop', resource: 'pods' }, signal);
  expect(sent[0]?.body).toMatchObject({
    spec: { resourceAttributes: { resource: 'pods', subresource: '' } },
  });
});

it.each<[string, Json, string]>([
  ['a denial', { status: { allowed: false, reason: 'no role' } }, 'no role'],
  ['a denial without a reason', { status: { allowed: false } }, ''],
  ['an answer without a status', {}, ''],
])('takes %s for no', async (_, answer, expected) => {
  const { client } = clientThat(answer);
  const question = { author: {}, namespace: 'shop', resource: 'pods' } as const;
  expect(await askAccess(client)(question, signal)).toBe(expected);
});
