/** Finds all rights of a user at a real API server by a SubjectAccessReview of every verb and resource. */
import type { KubeClient } from '../../src/kube/client.ts';
import type { JsonObject } from '../../src/kube/object.ts';

interface Served {
  readonly name: string;
  readonly verbs: readonly string[];
}

/** Rights that are not in discovery, and that allow a user to gain further rights. */
const HIDDEN: readonly string[][] = [
  ['rbac.authorization.k8s.io', 'clusterroles', 'bind'],
  ['rbac.authorization.k8s.io', 'clusterroles', 'escalate'],
  ['', 'users', 'impersonate'],
  ['', 'groups', 'impersonate'],
  ['', 'serviceaccounts', 'impersonate'],
  ['policy', 'podsecuritypolicies', 'use'],
  ['certificates.k8s.io', 'signers', 'approve'],
];
/** Number of reviews that are sent in parallel. */
const AT_ONCE = 40;

/** Rights as "verb resource.group", each for all objects in all namespaces. */
export async function rightsOf(client: KubeClient, account: string): Promise<string[]> {
  const questions = [...(await everything(client)), ...HIDDEN];
  const allowed: string[] = [];
  for (let at = 0; at < questions.length; at += AT_ONCE) {
    const some = questions.slice(at, at + AT_ONCE);
    const answers = await Promise.all(
      some.map(([group = '', resource = '', verb = '']) =>
        mayDo(client, account, { group, resource, verb }),
      ),
    );
    some.forEach(([group = '', resource = '', verb = ''], index) => {
      if (answers[index] === true) allowed.push(rightText({ group, resource, verb }));
    });
  }
  return allowed.toSorted();
}

/** Rights that the server gives every service account. Later releases of Kubernetes add some. */
export function rightsOfEveryAccount(client: KubeClient): Promise<string[]> {
  return rightsOf(client, 'system:serviceaccount:default:without-roles');
}

export interface Right {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  readonly namespace?: string;
  readonly name?: string;
}

export function rightText({ group, resource, verb }: Right): string {
  return `${verb} ${resource}${group === '' ? '' : `.${group}`}`;
}

export async function mayDo(client: KubeClient, account: string, right: Right): Promise<boolean> {
  const [, , namespace = ''] = account.split(':');
  const groups = [
    'system:serviceaccounts',
    `system:serviceaccounts:${namespace}`,
    'system:authenticated',
  ];
  const { resource, ...rest } = right;
  const [name = '', subresource = ''] = resource.split('/');
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user: account, groups, resourceAttributes: { ...rest, resource: name, subresource } },
  };
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const answer = (await client.raw({ method: 'POST', path, body })) as JsonObject;
  return (answer['status'] as JsonObject)['allowed'] === true;
}

async function everything(client: KubeClient): Promise<string[][]> {
  const { groups } = (await client.raw({ method: 'GET', path: '/apis' })) as unknown as {
    readonly groups: readonly { name: string; versions: readonly { groupVersion: string }[] }[];
  };
  const paths = [
    { group: '', path: '/api/v1' },
    ...groups.flatMap(({ name, versions }) =>
      versions.map(({ groupVersion }) => ({ group: name, path: `/apis/${groupVersion}` })),
    ),
  ];
  const found = new Map<string, string[]>();
  for (const { group, path } of paths) {
    const { resources } = (await client.raw({ method: 'GET', path })) as unknown as {
      readonly resources: readonly Served[];
    };
    for (const { name, verbs } of resources) {
      // Opening a WebSocket is a GET, which discovery does not list.
      for (const verb of new Set([...verbs, 'get', 'create', 'update', 'patch', 'delete'])) {
        found.set(`${group} ${name} ${verb}`, [group, name, verb]);
      }
      // Discovery does not list this right. It allows owner references to the object that block its deletion.
      if (!name.includes('/')) {
        const finalizers = `${name}/finalizers`;
        found.set(`${group} ${finalizers}`, [group, finalizers, 'update']);
      }
    }
  }
  return [...found.values()];
}
