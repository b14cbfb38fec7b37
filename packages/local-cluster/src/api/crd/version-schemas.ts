/** The schemas of a definition's versions, compiled; or what is wrong with them. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { FieldError } from '../../objects/field-error.ts';
import { objectAt, objectsAt, textAt } from '../../../../../src/kube/fields.ts';
import { jsonEqual } from '../../objects/patch/json-value.ts';
import { type CompiledSchema, compileStructural } from '../../objects/structural/compile.ts';
import type { RuleEngine } from '../../objects/structural/rule-engine.ts';

export interface VersionSchemas {
  readonly schemas: ReadonlyMap<string, CompiledSchema>;
  readonly errors: readonly FieldError[];
}

/** Versions without a schema are left out: that they need one is said elsewhere. */
export function compileVersions(definition: JsonObject, engine: RuleEngine | null): VersionSchemas {
  const schemas = new Map<string, CompiledSchema>();
  const errors: FieldError[] = [];
  const versions = objectsAt(definition, 'spec', 'versions');
  const [shared] = versions.map(schemaOf);
  if (shared !== undefined && versions.every((version) => jsonEqual(schemaOf(version), shared))) {
    // As a real server names the schema that all versions have.
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
