/** Compiles the schemas of definitions; loads the engine for their rules (CEL) when a schema first has one. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { fieldsAt, objectAt, objectsAt, textAt } from '../../../../../src/kube/fields.ts';
import { hasRules, loadRuleEngine, type RuleEngine } from '../../objects/structural/rule-engine.ts';
import type { FieldError } from '../../objects/field-error.ts';
import { jsonEqual } from '../../objects/patch/json-value.ts';
import { type CompiledSchema, compileStructural } from '../../objects/structural/compile.ts';

/** The compiled schemas of a definition's versions, or their errors. */
interface VersionSchemas {
  readonly schemas: ReadonlyMap<string, CompiledSchema>;
  readonly errors: readonly FieldError[];
}

/** Skips versions without a schema: another check requires one. */
function compileVersions(definition: JsonObject, engine: RuleEngine | null): VersionSchemas {
  const schemas = new Map<string, CompiledSchema>();
  const errors: FieldError[] = [];
  const versions = objectsAt(definition, 'spec', 'versions');
  const [shared] = versions.map(schemaOf);
  if (shared !== undefined && versions.every((version) => jsonEqual(schemaOf(version), shared))) {
    // The path that a real server names for a schema that all versions share.
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
  /** Null until a definition needs it. */
  #engine: RuleEngine | null = null;
  /** By spec: the check and the serving of a definition share a result. */
  readonly #compiled = new WeakMap<JsonObject, Compiled>();

  async loadFor(definition: JsonObject): Promise<void> {
    if (this.#engine === null && hasRules(fieldsAt(definition, 'spec'))) {
      this.#engine = await loadRuleEngine();
    }
  }

  /** For a definition that is not changed any more; call `loadFor` before. */
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
