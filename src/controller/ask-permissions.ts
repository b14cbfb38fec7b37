import type { KubeClient } from '../kube/client.ts';
import { isTrue } from '../kube/fields.ts';

/** The permission of a controller for one kind of object. `lifehook install` creates its roles from these. */
export interface Permission {
  /** '': the core group. */
  readonly group: string;
  /** The resource, with its subresource if there is one: "pods/exec". */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** true: in the whole cluster, which a Role cannot grant. */
  readonly clusterWide?: boolean;
}

export interface MissingPermission {
  readonly verb: string;
  /** Examples: "pods/exec", "volumesnapshots.snapshot.storage.k8s.io". */
  readonly resource: string;
}

/** Maximum number of requests in parallel. */
const AT_ONCE = 16;

export interface Needed {
  /** The namespace in which to ask; absent: all namespaces. */
  readonly namespace?: string;
  /** All permissions that the controllers of a lifecycle need. */
  readonly permissions: readonly Permission[];
  /** The subject that needs the permissions; absent: the user of the client's credentials. */
  readonly subject?: Subject;
}

/** A user, as an API server identifies it. */
export interface Subject {
  readonly user: string;
  readonly groups: readonly string[];
}

/** A service account as a subject with its groups: "system:serviceaccount:lifehook-system:lifehook-controller". */
export function serviceAccountSubject(namespace: string, name: string): Subject {
  const all = 'system:serviceaccounts';
  return {
    user: `system:serviceaccount:${namespace}:${name}`,
    groups: [all, `${all}:${namespace}`, 'system:authenticated'],
  };
}

/** The permissions that the subject needs but does not have. */
export async function missingPermissions(
  client: KubeClient,
  { permissions, ...who }: Needed,
): Promise<readonly MissingPermission[]> {
  const questions = permissions.flatMap(({ verbs, ...permission }) =>
    verbs.map((verb) => ({ ...permission, verb })),
  );
  const missing: MissingPermission[] = [];
  for (let at = 0; at < questions.length; at += AT_ONCE) {
    const some = questions.slice(at, at + AT_ONCE);
    const answers = await Promise.all(some.map((question) => isAllowed(client, who, question)));
    for (const [index, { verb, resource, group }] of some.entries()) {
      if (answers[index] === true) continue;
      missing.push({ verb, resource: group === '' ? resource : `${resource}.${group}` });
    }
  }
  return missing;
}

interface Question {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  readonly clusterWide?: boolean;
}

async function isAllowed(
  client: KubeClient,
  { namespace, subject }: Omit<Needed, 'permissions'>,
  { group, resource: path, verb, clusterWide = false }: Question,
): Promise<boolean> {
  const [resource = '', subresource = ''] = path.split('/');
  const where = clusterWide || namespace === undefined ? {} : { namespace };
  const kind = subject === undefined ? 'SelfSubjectAccessReview' : 'SubjectAccessReview';
  const who = subject === undefined ? {} : { user: subject.user, groups: [...subject.groups] };
  const answer = await client.raw({
    method: 'POST',
    path: `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`,
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind,
      spec: { ...who, resourceAttributes: { ...where, group, resource, subresource, verb } },
    },
  });
  return isTrue(answer, 'status', 'allowed');
}
