/** Whether the defaults of a schema are values that the schema itself would take. */
import type { Compile } from '../../../../../src/model/pattern.ts';
import type { FieldError } from '../field-error.ts';
import { invalid } from '../field-errors.ts';
import { decodeValue } from '../decode-value.ts';
import { jsonEqual } from '../patch/json-value.ts';
import { validateEmbedded } from './embedded-metadata.ts';
import { schemaType } from './schema-type.ts';
import type { Schema } from './schema.ts';
import { under } from './verdict.ts';
import { validateValue } from './validate-value.ts';

export function checkDefaults(schema: Schema, at: string, patterns: Compile): FieldError[] {
  return [
    ...checkDefault(schema, at, patterns),
    // Not those of additionalProperties: no value is there to be filled in.
    ...(schema.items === null ? [] : checkDefaults(schema.items, `${at}.items`, patterns)),
    ...[...schema.properties].flatMap(([name, one]) =>
      checkDefaults(one, `${at}.properties[${name}]`, patterns),
    ),
  ];
}

function checkDefault(schema: Schema, at: string, patterns: Compile): FieldError[] {
  const value = schema.default;
  if (value === undefined) return [];
  const path = `${at}.default`;
  if (!jsonEqual(decodeValue(value, schemaType(schema)).value, value)) {
    return [invalid(path, value, 'must not have unknown fields')];
  }
  const place = { path: '', old: undefined, patterns };
  return [
    ...validateEmbedded(value, schema, path),
    ...under(path, validateValue(value, schema, place).errors),
  ];
}
