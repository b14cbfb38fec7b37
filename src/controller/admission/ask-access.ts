import type { KubeClient } from '../../kube/client.ts';
import { fieldsAt } from '../../kube/fields.ts';
import type { JsonObject } from '../../kube/object.ts';
import type { Permission } from '../ask-permissions.ts';
import { type AccessQuestion, type AskAccess, type Author, NEEDED } from './author.ts';

/** Lets the controllers check the access of a user in one namespace, but not in the whole cluster. */
export const accessReviewPermission: Permission = {
  group: 'authorization.k8s.io',
  resource: 'localsubjectaccessreviews',
  verbs: ['create'],
};

/** Milliseconds: less than the time that an API server gives a webhook. */
const TIMEOUT_MS = 3_000;

/** Asks the API server by LocalSubjectAccessReviews. Nothing is stored, so a dry run may ask. */
export function askAccess(client: KubeClient): AskAccess {
  return async (question, signal) => {
    const { namespace } = question;
    const answer = await client.raw({
      method: 'POST',
      path: `/apis/authorization.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/localsubjectaccessreviews`,
      body: reviewOf(question),
      signal,
      timeoutMs: TIMEOUT_MS,
    });
    const { allowed, reason } = fieldsAt(answer, 'status');
    if (allowed === true) return null;
    return typeof reason === 'string' ? reason : '';
  };
}

function reviewOf({ author, namespace, resource: path }: AccessQuestion): JsonObject {
  const [resource = '', subresource = ''] = path.split('/');
  const { group, verb } = NEEDED[path];
  return {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'LocalSubjectAccessReview',
    metadata: { namespace },
    spec: {
      ...subjectOf(author),
      resourceAttributes: { namespace, verb, group, resource, subresource },
    },
  };
}

function subjectOf({ username = '', uid = '', groups = [], extra = {} }: Author): JsonObject {
  const copied: JsonObject = {};
  for (const [key, values] of Object.entries(extra)) copied[key] = [...values];
  return { user: username, uid, groups: [...groups], extra: copied };
}
