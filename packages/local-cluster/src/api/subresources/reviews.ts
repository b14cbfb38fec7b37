/** Answers reviews (who am I, whose token is this, may I do that). Reviews are not stored. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { invalid as invalidField } from '../../objects/field-error.ts';
import { objectAt, textAt } from '../../../../../src/kube/fields.ts';
import { type RequestScope, strategyContext } from '../context.ts';
import type { ServerAnswer, UserInfo } from '../http.ts';
import { writeOptions } from '../options.ts';
import { withOwnership } from '../ownership.ts';
import { jsonAnswer } from '../present.ts';
import { readObject } from '../read-object.ts';
import { apiVersionOf } from '../registry.ts';
import { badRequest, invalid } from '../status.ts';

type Reviewer = (scope: RequestScope, review: JsonObject) => JsonObject;

/** Returns undefined if the kind is not a review. */
export function reviewerOf({ definition }: Pick<RequestScope, 'definition'>): Reviewer | undefined {
  return REVIEWERS[definition.storageName];
}

export async function serveReview(scope: RequestScope, reviewer: Reviewer): Promise<ServerAnswer> {
  const options = writeOptions(scope.request.query, 'CreateOptions');
  const object = await readObject(scope, options.fieldValidation);
  const review = withOwnership(scope, { live: null, object, options });
  const status = reviewer(scope, review);
  return jsonAnswer({ ...answered(scope, review), status }, 201, scope.warnings);
}

const MYSELF = 'selfsubjectreviews.authentication.k8s.io';

/**
 * The response without its status. A SelfSubjectReview returns nothing of the request; the other reviews return all of
 * it.
 */
function answered({ api, definition }: RequestScope, review: JsonObject): JsonObject {
  if (definition.storageName !== MYSELF) return { ...review, metadata: review['metadata'] ?? {} };
  const metadata = { creationTimestamp: strategyContext(api).now };
  return { apiVersion: apiVersionOf(definition), kind: definition.kind, metadata };
}

const ALLOWED = { allowed: true, reason: 'the local cluster allows every action to every user' };

const REVIEWERS: Readonly<Record<string, Reviewer>> = {
  'selfsubjectaccessreviews.authorization.k8s.io': (_scope, review) => {
    requireOneQuestion(review);
    return ALLOWED;
  },
  'subjectaccessreviews.authorization.k8s.io': (_scope, review) => {
    requireOneQuestion(review);
    requireSubject(review);
    return ALLOWED;
  },
  'localsubjectaccessreviews.authorization.k8s.io': (scope, review) => {
    requireOneQuestion(review);
    requireSubject(review);
    requireOwnNamespace(scope, review);
    return ALLOWED;
  },
  'selfsubjectrulesreviews.authorization.k8s.io': () => ({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  }),
  [MYSELF]: ({ request }) => ({ userInfo: userOf(request.user) }),
  'tokenreviews.authentication.k8s.io': ({ api }, review) => {
    const token = textAt(review, 'spec', 'token');
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const user = api.tokens.whoIs(token);
    if (user === null) return { user: {}, error: 'the token is not known' };
    return { authenticated: true, user: userOf(user) };
  },
};

/** Requires a question about either a resource or a path, not both. */
function requireOneQuestion(review: JsonObject): void {
  const names = ['resourceAttributes', 'nonResourceAttributes'] as const;
  const [resource, path] = names.map((name) => objectAt(review, 'spec', name));
  if ((resource === undefined) !== (path === undefined)) return;
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  throw unnamed(invalidField('spec', path ?? null, why));
}

/** Requires a user or a group. */
function requireSubject(review: JsonObject): void {
  const groups = objectAt(review, 'spec')?.['groups'];
  if (textAt(review, 'spec', 'user') !== '' || (Array.isArray(groups) && groups.length > 0)) return;
  throw unnamed(invalidField('spec.user', '', 'at least one of user or group must be specified'));
}

function requireOwnNamespace({ info }: RequestScope, review: JsonObject): void {
  const { namespace } = info;
  const path = objectAt(review, 'spec', 'nonResourceAttributes');
  if (path !== undefined) {
    const detail = 'disallowed on this kind of request';
    throw unnamed(invalidField('spec.nonResourceAttributes', path, detail));
  }
  if (textAt(review, 'spec', 'resourceAttributes', 'namespace') === namespace) return;
  throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
}

/** The error that a real server sends for an invalid review, which has no name. */
function unnamed(error: ReturnType<typeof invalidField>): Error {
  return invalid({ group: 'authorization.k8s.io', kind: '' }, '', [error]);
}

function userOf({ username, groups }: UserInfo): JsonObject {
  return { username, groups: [...groups] };
}
