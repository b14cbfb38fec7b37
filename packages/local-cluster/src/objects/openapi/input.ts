/** What the OpenAPI documents are made from. */
import type { Json } from '../../../../../src/kube/object.ts';
import { apiVersionOf } from '../../../../../src/kube/object.ts';
import type { ResourceDefinition } from '../resource-definition.ts';

export interface OpenApiInput {
  /** All that is served now, one for each version. */
  readonly definitions: readonly ResourceDefinition[];
  /** The `openAPIV3Schema` of custom resources, by `schemaKey`. */
  readonly customSchemas: ReadonlyMap<string, Json>;
  readonly docs: Docs;
  /** "v1.37.2" */
  readonly serverVersion: string;
}

/** What people read, by the short name of a definition. */
export type Docs = Readonly<
  Record<
    string,
    {
      readonly text?: string;
      readonly fields?: Readonly<Record<string, string>>;
      /** The values that a field may have. */
      readonly enums?: Readonly<Record<string, readonly string[]>>;
    }
  >
>;

export function schemaKey(
  definition: Pick<ResourceDefinition, 'group' | 'version' | 'kind'>,
): string {
  return `${apiVersionOf(definition)}/${definition.kind}`;
}

/** Descriptions are large, and only documents show them. */
export async function loadDocs(): Promise<Docs> {
  return (await import('./builtin-docs.json', { with: { type: 'json' } })).default;
}
