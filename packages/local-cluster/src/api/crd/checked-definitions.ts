/**
 * Checks the schemas of definitions of custom kinds. The checks are synchronous; their engine is loaded before,
 * while the request is in admission.
 */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { FieldError } from '../../objects/field-error.ts';
import { fieldsAt } from '../../../../../src/kube/fields.ts';
import { jsonEqual } from '../../objects/patch/json-value.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import type { Admission } from '../admission.ts';
import { DEFINITIONS, CustomKinds, type CustomKindsOptions } from './custom-kinds.ts';
import { RuleEngines } from './rule-engines.ts';

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

/** An update may keep errors of a part that it does not change. */
function schemaErrors(
  object: JsonObject,
  old: JsonObject | undefined,
  engines: RuleEngines,
): readonly FieldError[] {
  if (old !== undefined && jsonEqual(fieldsAt(object, 'spec'), fieldsAt(old, 'spec'))) return [];
  return engines.compile(object).errors;
}

/** The inner admission, which first loads the engine if the request needs it. */
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
  /** Replaces the inner admission of the API server. */
  readonly admission: Admission;
}

/** Start its kinds before the server answers, and stop them before the store is closed. */
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
