/**
 * Definitions of custom kinds with their schemas checked. Checks are made at once, and what they need is
 * loaded before, while the request waits for admission.
 */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { FieldError } from '../../objects/field-error.ts';
import { fieldsAt } from '../../../../../src/kube/fields.ts';
import { jsonEqual } from '../../objects/patch/json-value.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import type { Admission } from '../admission.ts';
import { DEFINITIONS } from './custom-kinds.ts';
import type { RuleEngines } from './rule-engines.ts';

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

/** What was accepted before is not held against an update that leaves it alone. */
function schemaErrors(
  object: JsonObject,
  old: JsonObject | undefined,
  engines: RuleEngines,
): readonly FieldError[] {
  if (old !== undefined && jsonEqual(fieldsAt(object, 'spec'), fieldsAt(old, 'spec'))) return [];
  return engines.compile(object).errors;
}

/** The inner admission, after which the engine is there for whom needs it. */
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
