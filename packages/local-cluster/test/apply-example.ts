/** Applies configurations to an example of a custom resource. The resource has a field of every kind. */
import {
  applyServerSide,
  type ApplyResult,
  type ServerSideApply,
} from '../src/objects/ownership/apply.ts';
import type { StructNode } from '../src/objects/type-node.ts';
import type { Json, JsonObject } from '../../../src/kube/object.ts';
import { customType, listOf, number, text } from './custom-type.ts';

export const exampleKind: { apiVersion: string; kind: string } = {
  apiVersion: 'example.dev/v1',
  kind: 'Example',
};
const item = customType({ name: text, port: number, note: text });
export const exampleType: StructNode = customType({
  apiVersion: text,
  kind: text,
  metadata: { ...customType({ name: text }), preserveUnknown: true },
  spec: customType({
    size: number,
    args: listOf(text, 'atomic'),
    tags: listOf(text, 'set'),
    items: listOf(item, 'map', ['name']),
    labels: { kind: 'map', values: text, atomic: false },
    open: { ...customType({}), preserveUnknown: true },
  }),
  status: { kind: 'any' },
});

export const NOW = '2026-01-01T00:00:00Z';
export const LATER = '2026-01-01T00:00:05Z';

export interface Attempt extends Partial<ServerSideApply> {
  readonly spec: JsonObject;
  readonly by: string;
}

export function attempt({ spec, by, ...more }: Attempt): ApplyResult {
  return applyServerSide({
    live: undefined,
    applied: { ...exampleKind, metadata: { name: 'x' }, spec },
    type: exampleType,
    manager: by,
    force: false,
    ...exampleKind,
    now: NOW,
    subresource: '',
    ...more,
  });
}

export function applied(options: Attempt): JsonObject {
  const result = attempt(options);
  if (result.kind !== 'applied') throw new Error(JSON.stringify(result));
  return result.object;
}

/** The object after several forced applies, one after another. */
export function played(...steps: readonly (readonly [string, JsonObject])[]): JsonObject {
  let live: JsonObject | undefined;
  for (const [by, spec] of steps) live = applied({ live, by, spec, force: true });
  return live ?? {};
}

export function owners(object: JsonObject): Record<string, Json> {
  const entries = (object['metadata'] as JsonObject)['managedFields'] as JsonObject[] | undefined;
  return Object.fromEntries(
    (entries ?? []).map((entry) => {
      const { 'f:spec': spec = null } = entry['fieldsV1'] as JsonObject;
      return [`${entry['manager'] as string} ${entry['operation'] as string}`, spec];
    }),
  );
}
