/** Records which manager owns which field after a write. */
import type { JsonObject } from '../../../../src/kube/object.ts';
import type { IgnoredPaths } from '../objects/ownership/change-owners.ts';
import { recordUpdate } from '../objects/ownership/update.ts';
import { type RequestScope, strategyContext } from './context.ts';
import { partOf } from './object-meta.ts';
import type { WriteOptions } from './options.ts';
import { apiVersionOf } from './registry.ts';

export interface OwnedWrite {
  /** The stored object; null on create. */
  readonly live: JsonObject | null;
  readonly object: JsonObject;
  readonly options: WriteOptions;
}

/** Returns the object with its managedFields after this write. */
export function withOwnership(
  scope: RequestScope,
  { live, object, options }: OwnedWrite,
): JsonObject {
  return recordUpdate({
    live: live ?? undefined,
    next: object,
    manager: managerOf(scope, options),
    ...authorship(scope),
  });
}

export interface Authorship {
  readonly type: RequestScope['definition']['type'];
  readonly apiVersion: string;
  readonly now: string;
  readonly subresource: '' | 'status' | 'resize';
  readonly ignore: IgnoredPaths;
}

export function authorship({ api, definition, info }: RequestScope): Authorship {
  const part = partOf(info);
  const subresource = part === 'main' ? '' : part;
  const { now } = strategyContext(api);
  const ignore = subresource === 'status' ? definition.statusLeaves : apartFrom(definition);
  return { type: definition.type, apiVersion: apiVersionOf(definition), now, subresource, ignore };
}

/** Paths that a write to the object itself does not change: the status, if it is a subresource. */
function apartFrom({ subresources }: RequestScope['definition']): IgnoredPaths {
  return subresources.status ? [['status']] : [];
}

const MAX_AGENT_BYTES = 128;
const SHORT_ASCII = /^[ -~]{0,128}$/;

export function managerOf(scope: RequestScope, { fieldManager }: WriteOptions): string {
  return fieldManager === '' ? agentOf(scope) : fieldManager;
}

/** The first part of the user agent: "kubectl" for "kubectl/v1.32.0 (linux/amd64)". */
function agentOf({ request }: RequestScope): string {
  const [name = ''] = (request.headers['user-agent'] ?? 'unknown').split('/');
  if (SHORT_ASCII.test(name)) return name;
  const characters = Array.from(name.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, ''));
  let agent = characters.slice(0, MAX_AGENT_BYTES).join('');
  const encoder = new TextEncoder();
  for (let end = MAX_AGENT_BYTES; encoder.encode(agent).length > MAX_AGENT_BYTES; end -= 1) {
    agent = characters.slice(0, end).join('');
  }
  return agent;
}
