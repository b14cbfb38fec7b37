/**
 * The rights of users to write objects that run commands, on the local cluster. The cluster has no roles, so a table
 * replaces its authorizer.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { KubeClient } from '../../src/kube/client.ts';
import type { JsonObject } from '../../src/kube/object.ts';
import { loadKubeAccess } from '../../src/kube/kube-config.ts';
import { nodeAuthPlugin } from '../../src/platform/node-auth-plugin.ts';
import { nodeHttpTransport } from '../../src/platform/node-http-transport.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { authorCases } from '../fixtures/authors/author-cases.ts';
import { AuthorStand, USERS, type UserName } from '../fixtures/authors/author-stand.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';

const namespace = 'authors';
let cluster: ClusterStand;
let stand: AuthorStand;

beforeAll(async () => {
  cluster = await openCluster();
  const { client, connection, kubeconfig } = cluster;
  const { files, clock } = nodePlatform;
  const sources = { files, clock, env: {}, authPlugin: nodeAuthPlugin, kubeconfig };
  const { transport } = await loadKubeAccess(sources);
  stand = await AuthorStand.open({
    client,
    namespace,
    asking: withAuthorizer(client),
    connectAs: (token) => ({
      ...connection,
      transport: nodeHttpTransport({
        ...transport,
        credentials: async () => ({ authorization: `Bearer ${token}` }),
      }),
    }),
  });
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

/** The server validates a LocalSubjectAccessReview; the table decides it. */
function withAuthorizer(client: KubeClient): KubeClient {
  const raw: KubeClient['raw'] = async (request) => {
    const answer = await client.raw(request);
    if (!request.path.endsWith('/localsubjectaccessreviews')) return answer;
    const { spec } = answer as unknown as { readonly spec: Spec };
    const user = spec.user.split(':').at(-1) as UserName;
    const { resource, subresource } = spec.resourceAttributes;
    const created =
      subresource === undefined || subresource === '' ? resource : `${resource}/${subresource}`;
    const allowed = (USERS[user] as readonly string[]).includes(created);
    return { ...(answer as JsonObject), status: { allowed } };
  };
  return new Proxy(client, {
    get: (target, name): unknown => (name === 'raw' ? raw : Reflect.get(target, name, target)),
  });
}

interface Spec {
  readonly user: string;
  readonly resourceAttributes: { readonly resource: string; readonly subresource?: string };
}

describe('on the local cluster', () => {
  for (const { title, run } of authorCases) {
    it(title, async () => {
      await expect(run(stand)).resolves.toBeUndefined();
    });
  }
});
