import type { Json } from '../../../../src/kube/object.ts';
import { schemaKey } from '../objects/openapi/builtin-schema.ts';
import type { ResourceDefinition } from '../objects/resource-definition.ts';

/** The kinds that are served now. Custom kinds are added and removed at any time. */
export class ResourceRegistry {
  readonly #definitions = new Map<string, ResourceDefinition>();
  readonly #schemas = new Map<string, Json>();
  /** Grows with every change. A cache is valid for one generation. */
  #generation = 0;

  constructor(definitions: readonly ResourceDefinition[] = []) {
    for (const definition of definitions) this.add(definition);
  }

  get generation(): number {
    return this.#generation;
  }

  /**
   * Adds a definition, or replaces the one of the same group, version and plural.
   *
   * `schema`: the `openAPIV3Schema` of a custom kind, for the OpenAPI documents.
   */
  add(definition: ResourceDefinition, schema?: Json): void {
    this.#definitions.set(keyOf(definition), definition);
    if (schema !== undefined) this.#schemas.set(schemaKey(definition), schema);
    this.#generation += 1;
  }

  remove(place: DefinitionPlace): void {
    const definition = this.find(place);
    if (definition === undefined) return;
    this.#definitions.delete(keyOf(place));
    this.#schemas.delete(schemaKey(definition));
    this.#generation += 1;
  }

  /** The schemas of the custom kinds, by `schemaKey`. */
  schemas(): ReadonlyMap<string, Json> {
    return this.#schemas;
  }

  find(place: DefinitionPlace): ResourceDefinition | undefined {
    return this.#definitions.get(keyOf(place));
  }

  /** All definitions, in the order in which they were added. */
  all(): readonly ResourceDefinition[] {
    return [...this.#definitions.values()];
  }
}

export interface DefinitionPlace {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

function keyOf({ group, version, plural }: DefinitionPlace): string {
  return `${group}/${version}/${plural}`;
}

export function apiVersionOf({
  group,
  version,
}: {
  readonly group: string;
  readonly version: string;
}): string {
  return group === '' ? version : `${group}/${version}`;
}
