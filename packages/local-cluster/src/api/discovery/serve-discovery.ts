/** Serves the paths that are not resources: discovery, the version, and health. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { ApiContext } from '../context.ts';
import type { ServerAnswer, ServerRequest } from '../http.ts';
import { jsonAnswer } from '../present.ts';
import { methodNotAllowed, unknownResource } from '../status.ts';
import { coreVersions, groupList, oneGroup, resourceList } from './plain-discovery.ts';
import {
  servedGroups,
  resourcesOf,
  subresourcesOf,
  versionsOf,
  VERSION_INFO,
} from './served-resources.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import { readAccept } from '../media-type.ts';
import type { ResourceRegistry } from '../registry.ts';

/** Returns null if the path belongs to no discovery document. */
export function serveDiscovery(api: ApiContext, request: ServerRequest): ServerAnswer | null {
  const [, first = '', ...rest] = trimmed(request.path).split('/');
  const answer = rest.length === 0 ? PLAIN[first]?.(api, request) : under(api, [first, ...rest]);
  if (answer === undefined || answer === null) return null;
  if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
  return answer;
}

function trimmed(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

type Server = (api: ApiContext, request: ServerRequest) => ServerAnswer;

const PLAIN: Readonly<Record<string, Server>> = {
  '': ({ registry }) => jsonAnswer({ paths: paths(registry) }),
  api: ({ registry }, request) =>
    aggregated(registry, 'core', request) ??
    jsonAnswer(coreVersions(request.headers['host'] ?? '')),
  apis: ({ registry }, request) =>
    aggregated(registry, 'groups', request) ?? jsonAnswer(groupList(registry)),
  version: () => jsonAnswer(VERSION_INFO),
  healthz: () => text('ok'),
  livez: () => text('ok'),
  readyz: () => text('ok'),
  metrics: (api) => text(metricsText(api), 'text/plain; version=0.0.4; charset=utf-8'),
};

function aggregated(
  registry: ApiContext['registry'],
  which: 'core' | 'groups',
  { headers }: ServerRequest,
): ServerAnswer | null {
  const version = aggregatedVersion(headers['accept']);
  if (version === null) return null;
  const answer = jsonAnswer(aggregatedDiscovery(registry, which, version));
  return { ...answer, headers: { 'content-type': aggregatedType(version), vary: 'Accept' } };
}

/** Serves the paths /api/VERSION, /apis/GROUP and /apis/GROUP/VERSION. */
function under(
  { registry }: ApiContext,
  [root, first = '', second, ...more]: readonly string[],
): ServerAnswer | null {
  if (more.length > 0) return null;
  if (root === 'api') {
    return second === undefined ? known(resourceList(registry, '', first)) : null;
  }
  if (root !== 'apis') return null;
  const group = oneGroup(registry, first);
  if (group === undefined) return null;
  return known(second === undefined ? group : resourceList(registry, first, second));
}

function known(found: JsonObject | undefined): ServerAnswer {
  if (found === undefined) throw unknownResource();
  return jsonAnswer(found);
}

function paths(registry: ApiContext['registry']): string[] {
  const groups = servedGroups(registry).flatMap(({ name, versions }) => [
    `/apis/${name}`,
    ...versions.map((version) => `/apis/${name}/${version}`),
  ]);
  const others = [
    '/healthz',
    '/livez',
    '/metrics',
    '/openapi/v2',
    '/openapi/v3',
    '/readyz',
    '/version',
  ];
  return ['/api', '/api/v1', '/apis', ...groups.toSorted(), ...others];
}

function text(body: string, contentType: string = 'text/plain; charset=utf-8'): ServerAnswer {
  return { status: 200, headers: { 'content-type': contentType }, body };
}

const GROUP = 'apidiscovery.k8s.io';
const KIND = 'APIGroupDiscoveryList';

/** The version of aggregated discovery that the client prefers; null if it prefers the plain documents. */
function aggregatedVersion(accept: string | undefined): 'v2' | 'v2beta1' | null {
  for (const { type, parameters } of readAccept(accept ?? '')) {
    if (type !== 'application/json') continue;
    const { g, v, as } = parameters;
    if (as === undefined) return null;
    if (g === GROUP && as === KIND && (v === 'v2' || v === 'v2beta1')) return v;
  }
  return null;
}

function aggregatedType(version: string): string {
  return `application/json;g=${GROUP};v=${version};as=${KIND}`;
}

/** Aggregated discovery, which clients request since 1.27: /api and /apis also list the resources of each version. */
function aggregatedDiscovery(
  registry: ResourceRegistry,
  which: 'core' | 'groups',
  version: string,
): JsonObject {
  const core = [{ name: '', versions: versionsOf(registry, '') }];
  const groups = which === 'core' ? core : servedGroups(registry);
  return {
    kind: KIND,
    apiVersion: `${GROUP}/${version}`,
    metadata: {},
    items: groups.map((group) => ({
      metadata:
        group.name === ''
          ? { creationTimestamp: null }
          : { name: group.name, creationTimestamp: null },
      versions: group.versions.map((of) => ({
        version: of,
        resources: resourcesOf(registry, group.name, of).map(describe),
        freshness: 'Current',
      })),
    })),
  };
}

function describe(definition: ResourceDefinition): JsonObject {
  const { group, version, kind, plural, singular, namespaced, verbs } = definition;
  const { shortNames, categories } = definition;
  const subresources = subresourcesOf(definition).map((sub) => ({
    subresource: sub.name,
    responseKind: { group: sub.group, version: sub.version, kind: sub.kind },
    verbs: [...sub.verbs],
  }));
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: [...verbs].toSorted(),
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

export function metricsText({ store }: Pick<ApiContext, 'store'>): string {
  const objects = store
    .resources()
    .toSorted()
    .map((resource) => `lifehook_api_objects{resource="${resource}"} ${store.count(resource)}`);
  return [
    '# HELP lifehook_api_revision The revision of the last write that is durable.',
    '# TYPE lifehook_api_revision counter',
    `lifehook_api_revision ${store.revision}`,
    '# HELP lifehook_api_objects Objects that are stored, by resource.',
    '# TYPE lifehook_api_objects gauge',
    ...objects,
    '',
  ].join('\n');
}
