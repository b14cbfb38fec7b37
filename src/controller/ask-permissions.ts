import type { KubeClient } from '../kube/client.ts';
import type { Json, JsonObject } from '../kube/object.ts';
import type { Permission } from './permission.ts';

export interface MissingPermission {
  readonly verb: string;
  /** "pods/exec", "volumesnapshots.snapshot.storage.k8s.io" */
  readonly resource: string;
}

/** Requests at a time. */
const AT_ONCE = 16;

export interface Needed {
  readonly namespace: string;
  /** All that the controllers of a lifecycle need. */
  readonly permissions: readonly Permission[];
}

/** Of what is needed, what whoever asks may not do in that namespace. */
export async function missingPermissions(
  client: KubeClient,
  { namespace, permissions }: Needed,
): Promise<readonly MissingPermission[]> {
  const questions = permissions.flatMap(({ verbs, ...permission }) =>
    verbs.map((verb) => ({ ...permission, verb })),
  );
  const missing: MissingPermission[] = [];
  for (let at = 0; at < questions.length; at += AT_ONCE) {
    const some = questions.slice(at, at + AT_ONCE);
    const answers = await Promise.all(
      some.map((question) => isAllowed(client, namespace, question)),
    );
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
  namespace: string,
  { group, resource: path, verb, clusterWide = false }: Question,
): Promise<boolean> {
  const [resource = '', subresource = ''] = path.split('/');
  const where = clusterWide ? {} : { namespace };
  const answer = await client.raw({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { ...where, group, resource, subresource, verb } },
    },
  });
  return objectOf(objectOf(answer)['status'])['allowed'] === true;
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
