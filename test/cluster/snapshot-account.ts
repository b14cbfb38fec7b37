/** ServiceAccounts of the real cluster with the rights of the snapshot controllers, or without some of these. */
import { eventually } from '../fixtures/api-cases/eventually.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { getOrNull } from '../../src/kube/get-or-null.ts';
import type { JsonObject } from '../../src/kube/object.ts';
import { pods, serviceAccounts } from '../../src/kube/resources.ts';
import { snapshotPermissions } from '../../src/lifecycles/snapshot/permissions.ts';
import type { NodeTransportOptions } from '../../src/platform/node-server-link.ts';
import { connectToCluster } from './real-cluster.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

export interface Account extends AsyncDisposable {
  /** Connection options that replace an administrator's. */
  readonly access: Partial<NodeTransportOptions>;
}

export interface AccountName {
  readonly namespace: string;
  /** Unique in the namespace, since an API server applies the roles of a deleted account for a while. */
  readonly name: string;
}

/** Creates the account with all rights except those on the resources in `without`. */
export async function makeAccount(
  client: KubeClient,
  account: AccountName,
  without: readonly string[],
): Promise<Account> {
  const { namespace, name } = account;
  await client.create(serviceAccounts, { metadata: { name, namespace } });
  await eventually('the account is there', () =>
    getOrNull(client, serviceAccounts, { namespace, name }),
  );
  const rules = snapshotPermissions
    .filter(({ resource }) => !without.includes(resource))
    .map(({ group, resource, verbs }) => ({
      apiGroups: [group],
      resources: [resource],
      verbs: [...verbs],
    }));
  const role = `${namespace}-${name}`;
  const metadata = { name: role };
  await post(client, `${RBAC}/clusterroles`, { kind: 'ClusterRole', metadata, rules });
  await post(client, `${RBAC}/clusterrolebindings`, {
    kind: 'ClusterRoleBinding',
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  });
  const access = await accessOf(client, account);
  await untilGranted(access, namespace);
  return {
    access,
    [Symbol.asyncDispose]: async () => {
      for (const kind of ['clusterrolebindings', 'clusterroles']) {
        await client.raw({ method: 'DELETE', path: `${RBAC}/${kind}/${role}` });
      }
    },
  };
}

async function accessOf(
  client: KubeClient,
  { namespace, name }: AccountName,
): Promise<Partial<NodeTransportOptions>> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { status } = (await client.raw({ method: 'POST', path, body })) as unknown as {
    readonly status: { readonly token: string };
  };
  return { credentials: async () => ({ authorization: `Bearer ${status.token}` }) };
}

async function untilGranted(
  access: Partial<NodeTransportOptions>,
  namespace: string,
): Promise<void> {
  const { client, connection } = connectToCluster(access);
  await eventually('the roles are in force', () =>
    client.list(pods, { namespace }).catch(() => null),
  );
  connection.transport.close();
}

async function post(client: KubeClient, path: string, body: JsonObject): Promise<void> {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  await client.raw({ method: 'POST', path, body: { apiVersion, ...body } });
}
