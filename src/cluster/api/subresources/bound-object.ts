/** What a token of a service account is bound to: it has to be there, and to be what the request means. */
import type { JsonObject } from '../../../kube/object.ts';
import { textAt } from '../../objects/kinds/fields.ts';
import type { RequestScope } from '../context.ts';
import { badRequest, conflict, notFound } from '../status.ts';

/** By kind; all of the core group. */
const PLURALS: Readonly<Record<string, string>> = { Node: 'nodes', Pod: 'pods', Secret: 'secrets' };

/** `reference`: the boundObjectRef of a TokenRequest. */
export function requireBoundObject({ api, info }: RequestScope, reference: JsonObject): void {
  const kind = textAt(reference, 'kind');
  const name = textAt(reference, 'name');
  const [version = '', group = ''] = textAt(reference, 'apiVersion').split('/').toReversed();
  const plural = group === '' ? PLURALS[kind] : undefined;
  if (plural === undefined) {
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  const namespace = kind === 'Node' ? '' : info.namespace;
  const found = api.store.get({ resource: plural, namespace, name })?.object;
  if (found === undefined) throw notFound({ group, plural }, name);
  if (kind === 'Pod' && textAt(found, 'spec', 'serviceAccountName') !== info.name) {
    throw badRequest(
      `cannot bind token for serviceaccount "${info.name}" to pod running with different serviceaccount name.`,
    );
  }
  const uid = textAt(reference, 'uid');
  if (uid === '' || uid === textAt(found, 'metadata', 'uid')) return;
  throw conflict(
    { group, plural: kind },
    name,
    `the UID in the bound object reference (${uid}) does not match the UID in record. The object ` +
      'might have been deleted and then recreated',
  );
}
