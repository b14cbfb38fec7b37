/**
 * Parses field selectors such as `status.phase!=Failed,metadata.name=x`.
 *
 * Every kind supports its name, and its namespace if it has one. The definition of a kind lists further fields.
 */
import type { JsonObject } from '../../../../src/kube/object.ts';
import { textAt } from '../../../../src/kube/fields.ts';
import type { ResourceDefinition } from './resource-definition.ts';

export interface FieldTerm {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

export type FieldSelectorText =
  | { readonly ok: true; readonly terms: readonly FieldTerm[] }
  /** `message`: text of the error 400. */
  | { readonly ok: false; readonly message: string };

type Selectable = Pick<
  ResourceDefinition,
  'fieldSelectors' | 'namespaced' | 'custom' | 'unknownField'
>;

const OPERATOR = /!=|==|=/;

export function parseFieldSelector(text: string, definition: Selectable): FieldSelectorText {
  const terms: FieldTerm[] = [];
  for (const part of splitTerms(text)) {
    const found = OPERATOR.exec(part);
    if (found === null) {
      return { ok: false, message: `invalid selector: '${text}'; can't understand '${part}'` };
    }
    const field = part.slice(0, found.index);
    if (reader(field, definition) === undefined) {
      return { ok: false, message: unknownField(field, definition) };
    }
    const value = unescape(part.slice(found.index + found[0].length));
    if (value === undefined) {
      return { ok: false, message: `invalid field selector: invalid escape sequence in ${part}` };
    }
    terms.push({ field, equal: found[0] !== '!=', value });
  }
  return { ok: true, terms };
}

/**
 * Error for an unknown field. As on a real server, it lists the known fields only for built-in kinds without further
 * fields.
 */
function unknownField(field: string, definition: Selectable): string {
  if (definition.unknownField !== undefined) return definition.unknownField(field);
  const { fieldSelectors, custom } = definition;
  if (custom || Object.keys(fieldSelectors).length > 0)
    return `field label not supported: ${field}`;
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

export function matchesFields(
  terms: readonly FieldTerm[],
  object: JsonObject,
  definition: Selectable,
): boolean {
  return terms.every(
    ({ field, equal, value }) => (reader(field, definition)?.(object) === value) === equal,
  );
}

function reader(
  field: string,
  definition: Selectable,
): ((object: JsonObject) => string) | undefined {
  if (field === 'metadata.name') return (object) => textAt(object, 'metadata', 'name');
  if (field === 'metadata.namespace' && definition.namespaced) {
    return (object) => textAt(object, 'metadata', 'namespace');
  }
  return Object.hasOwn(definition.fieldSelectors, field)
    ? definition.fieldSelectors[field]
    : undefined;
}

/** Splits at commas that are not escaped by a backslash. */
function splitTerms(text: string): string[] {
  return (text.match(/(?:\\.|[^,\\]|\\$)+/g) ?? []).filter((part) => part !== '');
}

/** Replaces `\\`, `\,` and `\=`; undefined if the value contains an unescaped `,` or `=`, or another escape. */
function unescape(value: string): string | undefined {
  if (!/^(?:\\[\\,=]|[^\\,=])*$/.test(value)) return undefined;
  return value.replaceAll(/\\([\\,=])/g, '$1');
}
