/** anyOf, oneOf, allOf and not: what the alternatives of a schema say together. */
import type { FieldError } from '../field-error.ts';
import type { Schema } from './schema.ts';
import { merged, PASSED, type Verdict } from './verdict.ts';

/** `ask` checks the value at `path` against one alternative. */
export function validateChoices(
  schema: Schema,
  path: string,
  ask: (alternative: Schema) => Verdict,
): Verdict {
  const { anyOf, oneOf, allOf, not } = schema;
  return merged([
    anyOf.length === 0 ? NOTHING : ofAny(anyOf.map(ask), path),
    oneOf.length === 0 ? NOTHING : ofOne(oneOf.map(ask), path),
    allOf.length === 0 ? NOTHING : ofAll(allOf.map(ask), path),
    not === null ? NOTHING : ofNone(ask(not), path),
    PASSED,
  ]);
}

const NOTHING: Verdict = { errors: [], matches: 0 };

function ofAny(verdicts: readonly Verdict[], path: string): Verdict {
  const first = verdicts.find(isValid);
  if (first !== undefined) return first;
  return failed(`${JSON.stringify(path)} must validate at least one schema (anyOf)`, verdicts);
}

function ofOne(verdicts: readonly Verdict[], path: string): Verdict {
  const valid = verdicts.filter(isValid);
  const [first] = valid;
  if (first !== undefined && valid.length === 1) return first;
  const rule = `${JSON.stringify(path)} must validate one and only one schema (oneOf).`;
  if (valid.length > 1) return failed(`${rule} Found ${valid.length} valid alternatives`, []);
  return failed(`${rule} Found none valid`, verdicts);
}

function ofAll(verdicts: readonly Verdict[], path: string): Verdict {
  const valid = verdicts.filter(isValid).length;
  if (valid === verdicts.length) return merged(verdicts);
  const none = valid === 0 ? '. None validated' : '';
  const rule = `${JSON.stringify(path)} must validate all the schemas (allOf)${none}`;
  return merged([...verdicts, failed(rule, [])]);
}

function ofNone(unwanted: Verdict, path: string): Verdict {
  if (!isValid(unwanted)) return NOTHING;
  return failed(`${JSON.stringify(path)} must not validate the schema (not)`, []);
}

function isValid({ errors }: Verdict): boolean {
  return errors.length === 0;
}

/** With the errors of the alternative that came nearest; the rule itself stands at no field. */
function failed(detail: string, alternatives: readonly Verdict[]): Verdict {
  const [nearest] = alternatives.toSorted((a, b) => b.matches - a.matches);
  const error: FieldError = { type: 'Invalid', field: '<nil>', value: '', detail };
  return { errors: [error, ...(nearest?.errors ?? [])], matches: nearest?.matches ?? 0 };
}
