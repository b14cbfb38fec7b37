/** What a token of a service account is bound to: it has to be there, and to be what the request means. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { textAt } from '../../../../../src/kube/fields.ts';
import type { RequestScope } from '../context.ts';
import { badRequest, conflict, notFound } from '../status.ts';

/** By kind; all of the core group. */
const PLURALS: Readonly<Record<string, string>> = { Node: 'nodes', Pod: 'pods', Secret: 'secrets' };

/** `reference`: the boundObjectRef of a TokenRequest. */
export function requireBoundObject(scope: RequestScope, reference: JsonObject): void {
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
