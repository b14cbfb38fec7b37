import { describe, expect, it } from 'vitest';

import type { KubeClient, RawRequest } from '../kube/client.ts';
import { textAt } from '../kube/fields.ts';
import type { Json } from '../kube/object.ts';
import { missingPermissions, type Permission, serviceAccountSubject } from './ask-permissions.ts';

const execPods: Permission = { group: '', resource: 'pods/exec', verbs: ['create'] };

const verbOf = ({ body }: RawRequest): string => textAt(body, 'spec', 'resourceAttributes', 'verb');

interface Server {
  readonly client: KubeClient;
  readonly requests: RawRequest[];
  /** The highest number of requests in parallel so far. */
  readonly most: () => number;
}

function serverDenying(...denied: readonly string[]): Server {
  const requests: RawRequest[] = [];
  let [open, most] = [0, 0];
  const raw = async (request: RawRequest): Promise<Json> => {
    requests.push(request);
    open += 1;
    most = Math.max(most, open);
    await Promise.resolve();
    open -= 1;
    return { status: { allowed: !denied.includes(verbOf(request)) } };
  };
  return { client: { raw } as unknown as KubeClient, requests, most: () => most };
}

const attributesSent = ({ requests }: Server): Json[] =>
  requests.map(
    ({ body }) => (body as { spec: { resourceAttributes: Json } }).spec.resourceAttributes,
  );

describe('missingPermissions', () => {
  it('asks for the user of the client by a SelfSubjectAccessReview', async () => {
    const server = serverDenying();
    await missingPermissions(server.client, { namespace: 'shop', permissions: [execPods] });
    expect(server.requests).toEqual([
      {
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: {
            resourceAttributes: {
              namespace: 'shop',
              group: '',
              resource: 'pods',
              subresource: 'exec',
              verb: 'create',
            },
          },
        },
      },
    ]);
  });

  it('asks for a service account, with its groups, by a SubjectAccessReview', async () => {
    const server = serverDenying();
    const subject = serviceAccountSubject('lifehook-system', 'lifehook-controller');
    await missingPermissions(server.client, { subject, permissions: [execPods] });
    expect(server.requests).toMatchObject([
      {
        path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        body: {
          kind: 'SubjectAccessReview',
          spec: {
            user: 'system:serviceaccount:lifehook-system:lifehook-controller',
            groups: [
              'system:serviceaccounts',
              'system:serviceaccounts:lifehook-system',
              'system:authenticated',
            ],
          },
        },
      },
    ]);
  });

  it('asks in all namespaces without a namespace, and for cluster-scoped objects', async () => {
    const nodes: Permission = { group: '', resource: 'nodes', verbs: ['get'], clusterWide: true };
    const everywhere = serverDenying();
    await missingPermissions(everywhere.client, { permissions: [execPods] });
    const inOne = serverDenying();
    await missingPermissions(inOne.client, { namespace: 'shop', permissions: [nodes] });
    expect([...attributesSent(everywhere), ...attributesSent(inOne)]).toEqual([
      { group: '', resource: 'pods', subresource: 'exec', verb: 'create' },
      { group: '', resource: 'nodes', subresource: '', verb: 'get' },
    ]);
  });

  it('returns what is denied, with the group of each resource that is not of the core', async () => {
    const { client } = serverDenying('list', 'create');
    const hooks: Permission = {
      group: 'lifehook.dev',
      resource: 'executionhooks',
      verbs: ['get', 'list'],
    };
    expect(await missingPermissions(client, { permissions: [execPods, hooks] })).toEqual([
      { verb: 'create', resource: 'pods/exec' },
      { verb: 'list', resource: 'executionhooks.lifehook.dev' },
    ]);
  });

  it('asks each question once, at most 16 at a time', async () => {
    const verbs = Array.from({ length: 40 }, (_, index) => `verb-${index}`);
    const server = serverDenying();
    const permissions = [{ group: '', resource: 'pods', verbs }];
    expect(await missingPermissions(server.client, { permissions })).toEqual([]);
    expect(server.requests.map(verbOf)).toEqual(verbs);
    expect(server.most()).toBe(16);
  });
});
