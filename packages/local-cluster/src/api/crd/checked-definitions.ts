/**
 * Checks the schemas of CustomResourceDefinitions.
 *
 * The checks are synchronous, so the rule engine that they need is loaded before: during admission.
 */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { FieldError } from '../../objects/field-error.ts';
import { fieldsAt, objectAt, objectsAt, textAt } from '../../../../../src/kube/fields.ts';
import { jsonEqual } from '../../objects/patch/json-value.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import { type CompiledSchema, compileStructural } from '../../objects/structural/compile.ts';
import { hasRules, loadRuleEngine, type RuleEngine } from '../../objects/structural/rule-engine.ts';
import type { Admission } from '../admission.ts';
import { DEFINITIONS, CustomKinds, type CustomKindsOptions } from './custom-kinds.ts';

export function checkedDefinitions(
  definition: ResourceDefinition,
  engines: RuleEngines,
): ResourceDefinition {
  return {
    ...definition,
    validate: (object, old, context) => [
      ...definition.validate(object, old, context),
      ...schemaErrors(object, old, engines),
    ],
  };
}

/** Errors in the schemas of a definition; none for an update that leaves the spec unchanged. */
function schemaErrors(
  object: JsonObject,
  old: JsonObject | undefined,
  engines: RuleEngines,
): readonly FieldError[] {
  if (old !== undefined && jsonEqual(fieldsAt(object, 'spec'), fieldsAt(old, 'spec'))) return [];
  return engines.compile(object).errors;
}

/** Wraps an admission: after `mutate` the result also loads the rule engine, if a definition has CEL rules. */
export function loadsRuleEngine(inner: Admission, engines: RuleEngines): Admission {
  return {
    mutate: async (request) => {
      const object = await inner.mutate(request);
      if (request.definition.storageName === DEFINITIONS) await engines.loadFor(object);
      return object;
    },
    validate: (request) => inner.validate(request),
  };
}

/** The parts that extend an API server: custom kinds, and the check of their definitions. */
interface CustomKindServer {
  readonly kinds: CustomKinds;
  /** Admission that the API server must use in place of the inner one. */
  readonly admission: Admission;
}

/** Start `kinds` before the server answers requests, and stop it before the store is closed. */
export function serveCustomKinds(
  options: Omit<CustomKindsOptions, 'engines'>,
  inner: Admission,
): CustomKindServer {
  const engines = new RuleEngines();
  const { registry } = options;
  for (const definition of registry.all()) {
    if (definition.storageName === DEFINITIONS)
      registry.add(checkedDefinitions(definition, engines));
  }
  return {
    kinds: new CustomKinds({ ...options, engines }),
    admission: loadsRuleEngine(inner, engines),
  };
}

/** The compiled schemas of a definition's versions, or their errors. */
interface VersionSchemas {
  readonly schemas: ReadonlyMap<string, CompiledSchema>;
  readonly errors: readonly FieldError[];
}

/** Skips versions without a schema: another check reports them. */
function compileVersions(definition: JsonObject, engine: RuleEngine | null): VersionSchemas {
  const schemas = new Map<string, CompiledSchema>();
  const errors: FieldError[] = [];
  const versions = objectsAt(definition, 'spec', 'versions');
  const [shared] = versions.map(schemaOf);
  if (shared !== undefined && versions.every((version) => jsonEqual(schemaOf(version), shared))) {
    // A real server names this path in errors if all versions share one schema.
    const result = compileStructural(shared, { at: 'spec.validation.openAPIV3Schema', engine });
    if (result.kind === 'invalid') return { schemas, errors: result.errors };
    for (const version of versions) schemas.set(textAt(version, 'name'), result.schema);
    return { schemas, errors };
  }
  for (const [index, version] of versions.entries()) {
    const schema = schemaOf(version);
    if (schema === undefined) continue;
    const at = `spec.versions[${index}].schema.openAPIV3Schema`;
    const result = compileStructural(schema, { at, engine });
    if (result.kind === 'compiled') schemas.set(textAt(version, 'name'), result.schema);
    else errors.push(...result.errors);
  }
  return { schemas, errors };
}

function schemaOf(version: JsonObject): JsonObject | undefined {
  return objectAt(version, 'schema', 'openAPIV3Schema');
}

interface Compiled {
  readonly engine: RuleEngine | null;
  readonly schemas: VersionSchemas;
}

export class RuleEngines {
  /** Null until a definition with CEL rules is checked. */
  #engine: RuleEngine | null = null;
  /** Keyed by spec, so that a definition is compiled once for its check and for serving it. */
  readonly #compiled = new WeakMap<JsonObject, Compiled>();

  async loadFor(definition: JsonObject): Promise<void> {
    if (this.#engine === null && hasRules(fieldsAt(definition, 'spec'))) {
      this.#engine = await loadRuleEngine();
    }
  }

  /**
   * Compiles the schemas of a definition, or returns those that are compiled already. The definition must not be
   * changed afterwards. Call `loadFor` before.
   */
  compile(definition: JsonObject): VersionSchemas {
    const spec = fieldsAt(definition, 'spec');
    const engine = this.#engine;
    const known = this.#compiled.get(spec);
    if (known?.engine === engine) return known.schemas;
    const schemas = compileVersions(definition, engine);
    this.#compiled.set(spec, { engine, schemas });
    return schemas;
  }
}
