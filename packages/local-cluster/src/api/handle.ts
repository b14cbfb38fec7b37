/** Handles one authenticated request, from its path to its response. */
import { fieldsAt, listAt, textAt } from '../../../../src/kube/fields.ts';
import { LifehookError } from '../../../../src/model/problem.ts';
import { DEFAULT_GATES } from '../../../../src/model/feature-gates.ts';
import { ServiceAllocator } from './allocate.ts';
import { admitAll } from './admission.ts';
import type { ApiContext, RequestScope } from './context.ts';
import type { ApiServer, ServerAnswer, ServerRequest } from './http.ts';
import { OpenApiDocuments } from './discovery/serve-openapi.ts';
import { serveDiscovery } from './discovery/serve-discovery.ts';
import { writeOptions } from './options.ts';
import { objectAnswer } from './present.ts';
import { readObject } from './read-object.ts';
import { readResourcePath, type ResourceRequest, verbOf } from './request-info.ts';
import {
  badRequest,
  failureAnswer,
  internalError,
  methodNotAllowed,
  StatusError,
  unknownResource,
  conflict,
} from './status.ts';
import { servePodLog } from './subresources/pod-log.ts';
import { bindPod, evictPod } from './subresources/pod-requests.ts';
import { reviewerOf, serveReview } from './subresources/reviews.ts';
import { serveScale } from './subresources/scale.ts';
import { issueToken } from './subresources/service-account-token.ts';
import { TokenBook } from './tokens.ts';
import { needsUpgrade, RecentRefusals, serveUpgrade } from './streams/serve-upgrade.ts';
import { rewriteObject } from './verbs/rewrite-object.ts';
import { serveVerb } from './verbs/serve-verb.ts';

export type ApiServerOptions = Omit<ApiContext, Optional> & Partial<Pick<ApiContext, Optional>>;

type Optional = 'gates' | 'admission' | 'podStreams' | 'inflating' | 'tokens' | 'allocator';

export function makeApiServer(options: ApiServerOptions): ApiServer {
  const defaults = {
    gates: DEFAULT_GATES,
    admission: admitAll,
    podStreams: null,
    inflating: null,
    tokens: tokensOf(options),
    allocator: new ServiceAllocator(options.store),
  };
  const api: ApiContext = { ...defaults, ...options };
  const refusals = new RecentRefusals(options.platform.clock);
  const openApi = new OpenApiDocuments(options.registry);
  return {
    handle: async (request) => {
      try {
        return (await openApi.serve(request)) ?? (await route(api, request));
      } catch (error) {
        return refusal(error);
      }
    },
    upgrade: async (request) => {
      try {
        const info = readResourcePath(request.path);
        const scope = info === null ? null : scopeOf(api, request, info);
        if (scope === null) throw unknownResource();
        return await serveUpgrade(scope, refusals);
      } catch (error) {
        return { kind: 'refused', answer: refusal(error) };
      }
    },
  };
}

/** The default token book, for a server whose callers check no tokens: its administrator's token is random. */
function tokensOf({ platform, randomness }: ApiServerOptions): TokenBook {
  const adminToken = randomness.uuid();
  return new TokenBook({ clock: platform.clock, randomness, adminToken });
}

async function route(api: ApiContext, request: ServerRequest): Promise<ServerAnswer> {
  const discovered = serveDiscovery(api, request);
  if (discovered !== null) return discovered;
  const info = readResourcePath(request.path);
  if (info === null) return elsewhere(api, request.path);
  const scope = scopeOf(api, request, info);
  return scope === null ? elsewhere(api, request.path) : serveResource(scope);
}

function scopeOf(
  api: ApiContext,
  request: ServerRequest,
  info: ResourceRequest,
): RequestScope | null {
  const definition = api.registry.find(info);
  if (definition === undefined) return null;
  if (info.namespace !== '' && !definition.namespaced && definition.storageName !== 'namespaces') {
    throw unknownResource();
  }
  // A path to one object of a namespaced kind must name its namespace.
  if (definition.namespaced && info.namespace === '' && info.name !== '') throw unknownResource();
  return { api, request, info, definition, warnings: new Set() };
}

/**
 * The response for a path that is not served. In a served group a real server sends a Status, elsewhere a plain 404
 * page.
 */
function elsewhere({ registry }: ApiContext, path: string): ServerAnswer {
  const [, root, group = ''] = path.split('/');
  if (root === 'api') throw unknownResource();
  if (root === 'apis' && registry.all().some((definition) => definition.group === group)) {
    throw unknownResource();
  }
  return notServed();
}

/** The response of a real server for a path outside its API. */
function notServed(): ServerAnswer {
  return {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: '404 page not found\n',
  };
}

function refusal(error: unknown): ServerAnswer {
  if (error instanceof StatusError) return failureAnswer(error.failure);
  const why =
    error instanceof LifehookError || error instanceof Error ? error.message : String(error);
  return failureAnswer(internalError(why).failure);
}

/** Serves a request for a resource: by its verb, by its subresource, or as a review. */
async function serveResource(scope: RequestScope): Promise<ServerAnswer> {
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

/** Subresources that only one kind has. Those that upgrade the connection (exec and the like) are not here. */
const OWN: Readonly<Record<string, OwnSubresource>> = {
  'namespaces/finalize': { methods: ['PUT'], serve: finalizeNamespace },
  'pods/binding': { methods: ['POST'], serve: bindPod },
  'pods/eviction': { methods: ['POST'], serve: evictPod },
  'pods/log': { methods: ['GET'], serve: servePodLog },
  'serviceaccounts/token': { methods: ['POST'], serve: issueToken },
};

/**
 * Sets spec.finalizers of a namespace, which no other request can change. A terminating namespace without them is
 * deleted.
 */
async function finalizeNamespace(scope: RequestScope): Promise<ServerAnswer> {
  const { definition, info, request } = scope;
  const { dryRun, fieldValidation } = writeOptions(request.query, 'UpdateOptions');
  const given = await readObject(scope, fieldValidation);
  const asked = textAt(given, 'metadata', 'resourceVersion');
  const finalizers = [...listAt(given, 'spec', 'finalizers')];
  const finalized = await rewriteObject(scope, dryRun, (old) => {
    if (asked !== '' && asked !== textAt(old, 'metadata', 'resourceVersion')) {
      throw conflict(definition, info.name);
    }
    const { finalizers: _before, ...spec } = fieldsAt(old, 'spec');
    return { ...old, spec: finalizers.length === 0 ? spec : { ...spec, finalizers } };
  });
  return objectAnswer(scope, finalized);
}
