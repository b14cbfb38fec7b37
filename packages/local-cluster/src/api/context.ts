/** Data that the code of the request path shares: data of the whole server, and data of one request. */
import type { JsonObject } from '../../../../src/kube/object.ts';
import type { Inflating } from '../../../../src/platform/inflating.ts';
import type { Platform } from '../../../../src/platform/platform.ts';
import type { Randomness } from '../../../../src/platform/randomness.ts';
import type { FeatureGates } from '../../../../src/model/feature-gates.ts';
import type { ResourceDefinition, StrategyContext } from '../objects/resource-definition.ts';
import type { ObjectAddress, ObjectStore } from '../storage/object-store.ts';
import type { ServiceAllocator } from './allocate.ts';
import type { Admission } from './admission.ts';
import type { ServerRequest } from './http.ts';
import type { ResourceRegistry } from './registry.ts';
import type { PodStreams } from './pod-streams.ts';
import type { TokenBook } from './tokens.ts';
import type { ResourceRequest } from './request-info.ts';

export interface ApiContext {
  readonly store: ObjectStore;
  readonly registry: ResourceRegistry;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  readonly randomness: Randomness;
  readonly gates: FeatureGates;
  readonly admission: Admission;
  readonly tokens: TokenBook;
  readonly allocator: ServiceAllocator;
  /** Exec, attach, port-forward and log of pods; null if there is no node. */
  readonly podStreams: PodStreams | null;
  /** Decompression for SPDY; null if ports are not forwarded with SPDY. */
  readonly inflating: Inflating | null;
}

/** One request for a resource that is served. */
export interface RequestScope {
  readonly api: ApiContext;
  readonly request: ServerRequest;
  readonly info: ResourceRequest;
  readonly definition: ResourceDefinition;
  /** Texts of the response's warning headers, in order, without repetition. */
  readonly warnings: Set<string>;
}

export function addressOf({ definition, info }: RequestScope, name: string): ObjectAddress {
  return {
    resource: definition.storageName,
    namespace: definition.namespaced ? info.namespace : '',
    name,
  };
}

export function strategyContext({ gates, platform }: ApiContext): StrategyContext {
  return { gates, now: timestamp(platform.clock.nowMs()) };
}

/** RFC 3339 with whole seconds, as every time in an object's metadata. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Converts a stored object to the version that is requested. */
export function asServed(definition: ResourceDefinition, object: JsonObject): JsonObject {
  const apiVersion =
    definition.group === '' ? definition.version : `${definition.group}/${definition.version}`;
  const same = object['apiVersion'] === apiVersion && object['kind'] === definition.kind;
  // A custom kind is always converted: its schema may have changed since the object was stored.
  if (same && !definition.custom) return object;
  const served = definition.conversion?.fromStored(object) ?? object;
  if (served['apiVersion'] === apiVersion && served['kind'] === definition.kind) return served;
  return { ...served, apiVersion, kind: definition.kind };
}

/** Converts an object from the requested version to the stored one. */
export function asStored({ conversion }: ResourceDefinition, object: JsonObject): JsonObject {
  return conversion?.toStored(object) ?? object;
}
