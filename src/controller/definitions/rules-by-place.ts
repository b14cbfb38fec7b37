/** CEL rules, kept apart from the schemas into which they are inserted. */
import type { Rule, StructuralSchema } from './structural-schema.ts';

/** By path: field names separated by dots, "[]" for the items of a list. */
export type RulesByPlace = Readonly<Record<string, readonly Rule[]>>;

/** The schema with its rules. Throws if the path of a rule does not exist. */
export function withRules(schema: StructuralSchema, rules: RulesByPlace): StructuralSchema {
  const copy = structuredClone(schema);
  for (const [place, standing] of Object.entries(rules)) {
    at(copy, place)['x-kubernetes-validations'] = standing.map((rule) => ({ ...rule }));
  }
  return copy;
}

function at(root: StructuralSchema, place: string): StructuralSchema {
  const steps = place
    .replaceAll('[]', '.[]')
    .split('.')
    .filter((step) => step !== '');
  return steps.reduce((schema, step) => {
    const next = step === '[]' ? schema.items : schema.properties?.[step];
    if (next === undefined) throw new Error(`there is no ${place} for a rule to stand at`);
    return next;
  }, root);
}
