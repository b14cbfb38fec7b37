import { numberAt, objectAt, textAt } from '../../../../../src/kube/fields.ts';
import { builtinType } from '../../objects/table/builtin-type.ts';
import { type RequestScope, timestamp } from '../context.ts';
import type { ServerAnswer } from '../http.ts';
import { jsonAnswer } from '../present.ts';
import { decodeAs, readJson, refusedBody, getObject } from '../read-object.ts';
import { invalid, badRequest, conflict, notFound } from '../status.ts';
import { serviceAccountUser } from '../tokens.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';

const DEFAULT_SECONDS = 3_600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;

/** Issues a token for a service account. The token is valid until it expires or this process exits. */
export async function issueToken(scope: RequestScope): Promise<ServerAnswer> {
  const { api, definition, info, request } = scope;
  const account = getObject(scope);
  const type = builtinType('authentication.k8s.io', 'v1', 'TokenRequest') ?? { kind: 'any' };
  const place = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };
  const { body } = await readJson(scope, request.headers['content-type'] ?? '');
  const decoded = decodeAs({ ...definition, ...place, type }, { body, fieldValidation: 'Ignore' });
  if (decoded.kind === 'failed') throw refusedBody(decoded);
  const seconds = numberAt(decoded.object, 'spec', 'expirationSeconds') ?? DEFAULT_SECONDS;
  refuseDuration(seconds);
  const bound = objectAt(decoded.object, 'spec', 'boundObjectRef');
  if (bound !== undefined) requireBoundObject(scope, bound);
  const user = serviceAccountUser(info.namespace, info.name);
  const { token, expiresAtMs } = api.tokens.issue(user, seconds);
  const { name, namespace, creationTimestamp } = account['metadata'] as Record<string, string>;
  return jsonAnswer(
    {
      ...decoded.object,
      metadata: {
        name: name ?? '',
        namespace: namespace ?? '',
        creationTimestamp: creationTimestamp ?? null,
      },
      status: { token, expirationTimestamp: timestamp(expiresAtMs) },
    },
    201,
  );
}

function refuseDuration(seconds: number): void {
  const field = 'spec.expirationSeconds';
  const refuse = (detail: string): never => {
    const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
    throw invalid(kind, '', [{ type: 'Invalid', field, value: seconds, detail }]);
  };
  if (seconds < MIN_SECONDS) refuse('may not specify a duration less than 10 minutes');
  if (seconds > MAX_SECONDS) refuse('may not specify a duration larger than 2^32 seconds');
}

/** Plural of each kind that a token can be bound to, by kind. All are in the core group. */
const PLURALS: Readonly<Record<string, string>> = { Node: 'nodes', Pod: 'pods', Secret: 'secrets' };

/** The bound object must exist and have the requested uid. `reference`: the boundObjectRef of a TokenRequest. */
function requireBoundObject(scope: RequestScope, reference: JsonObject): void {
  const kind = textAt(reference, 'kind');
  const name = textAt(reference, 'name');
  const plural = pluralOf(kind, textAt(reference, 'apiVersion'));
  const namespace = kind === 'Node' ? '' : scope.info.namespace;
  const found = scope.api.store.get({ resource: plural, namespace, name })?.object;
  if (found === undefined) throw notFound({ group: '', plural }, name);
  if (kind === 'Pod') refuseOtherAccount(found, scope.info.name);
  const uid = textAt(reference, 'uid');
  if (uid === '' || uid === textAt(found, 'metadata', 'uid')) return;
  throw conflict(
    { group: '', plural: kind },
    name,
    `the UID in the bound object reference (${uid}) does not match the UID in record. The object ` +
      'might have been deleted and then recreated',
  );
}

function pluralOf(kind: string, apiVersion: string): string {
  const isCore = !apiVersion.includes('/');
  const plural = isCore ? PLURALS[kind] : undefined;
  if (plural !== undefined) return plural;
  const type = `${isCore ? '/' : ''}${apiVersion}, Kind=${kind}`;
  throw badRequest(`cannot bind token to object of type ${type}`);
}

function refuseOtherAccount(pod: JsonObject, account: string): void {
  if (textAt(pod, 'spec', 'serviceAccountName') === account) return;
  throw badRequest(
    `cannot bind token for serviceaccount "${account}" to pod running with different serviceaccount name.`,
  );
}
