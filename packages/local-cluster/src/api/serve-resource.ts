/** Dispatches a request for a resource: to a verb of all kinds, or to a subresource. */
import type { RequestScope } from './context.ts';
import type { ServerAnswer } from './http.ts';
import { verbOf } from './request-info.ts';
import { badRequest, methodNotAllowed, unknownResource } from './status.ts';
import { needsUpgrade } from './streams/serve-upgrade.ts';
import { finalizeNamespace } from './subresources/finalize-namespace.ts';
import { servePodLog } from './subresources/pod-log.ts';
import { bindPod, evictPod } from './subresources/pod-requests.ts';
import { reviewerOf, serveReview } from './subresources/reviews.ts';
import { serveScale } from './subresources/scale.ts';
import { issueToken } from './subresources/service-account-token.ts';
import { serveVerb } from './verbs/serve-verb.ts';

export async function serveResource(scope: RequestScope): Promise<ServerAnswer> {
  const { definition, info, request } = scope;
  if (info.subresource !== '') return serveSubresource(scope);
  const reviewer = reviewerOf(scope);
  if (reviewer === undefined) return serveVerb(scope);
  if (info.name !== '') throw unknownResource();
  if (verbOf(request.method, info, request.query) !== 'create') throw methodNotAllowed();
  if (definition.namespaced !== (info.namespace !== '')) throw unknownResource();
  return serveReview(scope, reviewer);
}

async function serveSubresource(scope: RequestScope): Promise<ServerAnswer> {
  const { definition, info, request } = scope;
  const { status, scale } = definition.subresources;
  if (info.subresource === 'status' && status) return servePart(scope);
  if (info.subresource === 'resize' && definition.resize !== undefined) return servePart(scope);
  if (info.subresource === 'scale' && scale !== null) return serveScale(scope, scale);
  if (needsUpgrade(scope)) throw badRequest('Upgrade request required');
  const own = OWN[`${definition.storageName}/${info.subresource}`];
  if (own === undefined) throw unknownResource();
  if (!own.methods.includes(request.method)) throw methodNotAllowed();
  return own.serve(scope);
}

function servePart(scope: RequestScope): Promise<ServerAnswer> {
  if (['GET', 'PUT', 'PATCH'].includes(scope.request.method)) return serveVerb(scope);
  throw methodNotAllowed();
}

interface OwnSubresource {
  readonly methods: readonly string[];
  readonly serve: (scope: RequestScope) => Promise<ServerAnswer>;
}

/** Subresources of single kinds; those that need a connection of their own (exec and the like) are upgrades. */
const OWN: Readonly<Record<string, OwnSubresource>> = {
  'namespaces/finalize': { methods: ['PUT'], serve: finalizeNamespace },
  'pods/binding': { methods: ['POST'], serve: bindPod },
  'pods/eviction': { methods: ['POST'], serve: evictPod },
  'pods/log': { methods: ['GET'], serve: servePodLog },
  'serviceaccounts/token': { methods: ['POST'], serve: issueToken },
};
