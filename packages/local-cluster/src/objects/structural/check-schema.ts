/** What a schema may and must say, part by part, whether it is structural or not. */
import type { Compile } from '../../../../../src/model/pattern.ts';
import type { FieldError } from '../field-error.ts';
import { forbidden, invalid, notSupported, required } from '../field-errors.ts';
import { checkListSchema } from './check-list-schema.ts';
import { checkRuleTexts } from './check-rule-texts.ts';
import { additionalSchema, type Schema } from './schema.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const META_FIELDS = ['metadata', 'kind', 'apiVersion'];

interface Context {
  readonly patterns: Compile;
  /** Why no defaults are allowed here; null: they are. */
  readonly noDefaults: string | null;
  readonly root: boolean;
}

export function checkSchema(schema: Schema, at: string, patterns: Compile): FieldError[] {
  return check(schema, at, { patterns, noDefaults: null, root: true });
}

function check(schema: Schema, at: string, context: Context): FieldError[] {
  return [
    ...checkSupported(schema, at, context),
    ...checkOwn(schema, at, context.patterns),
    ...checkListSchema(schema, at),
    ...checkRuleTexts(schema, at),
    ...checkInner(schema, at, { ...context, root: false }),
    ...[...schema.properties].flatMap(([name, one]) => {
      const ofMeta = context.root && META_FIELDS.includes(name);
      const noDefaults = ofMeta ? `in top-level ${name}` : context.noDefaults;
      return check(one, `${at}.properties[${name}]`, { ...context, root: false, noDefaults });
    }),
  ];
}

function checkInner(schema: Schema, at: string, context: Context): FieldError[] {
  const additional = additionalSchema(schema);
  const listed = (['allOf', 'oneOf', 'anyOf'] as const).flatMap((name) =>
    schema[name].flatMap((one, index) => check(one, `${at}.${name}[${index}]`, context)),
  );
  return [
    ...(additional === null ? [] : check(additional, `${at}.additionalProperties`, context)),
    ...(schema.not === null ? [] : check(schema.not, `${at}.not`, context)),
    ...listed,
    ...(schema.items === null ? [] : check(schema.items, `${at}.items`, context)),
  ];
}

function checkSupported(schema: Schema, at: string, { noDefaults }: Context): FieldError[] {
  const errors = schema.unsupported.map((name) =>
    forbidden(`${at}.${name}`, `${name} is not supported`),
  );
  if (schema.type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative';
    errors.push(forbidden(`${at}.type`, detail));
  } else if (schema.type !== '' && !TYPES.includes(schema.type)) {
    errors.push(notSupported(`${at}.type`, schema.type, TYPES));
  }
  if (schema.default !== undefined && noDefaults !== null) {
    errors.push(forbidden(`${at}.default`, `must not be set ${noDefaults}`));
  }
  return errors;
}

function checkOwn(schema: Schema, at: string, patterns: Compile): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.uniqueItems) {
    const detail =
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbidden(`${at}.uniqueItems`, detail));
  }
  if (schema.properties.size > 0 && schema.additional !== null && schema.additional !== true) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    errors.push(forbidden(`${at}.additionalProperties`, detail));
  }
  if (schema.preserveUnknown === false) {
    const field = `${at}.x-kubernetes-preserve-unknown-fields`;
    errors.push(invalid(field, false, 'must be true or undefined'));
  }
  return [...errors, ...checkPattern(schema, at, patterns), ...checkMapType(schema, at)];
}

function checkPattern({ pattern }: Schema, at: string, patterns: Compile): FieldError[] {
  if (pattern === '') return [];
  const compiled = patterns(pattern);
  if ('matches' in compiled) return [];
  const detail = `must be a valid regular expression, but isn't: ${compiled.invalid}`;
  return [invalid(`${at}.pattern`, pattern, detail)];
}

function checkMapType({ mapType, type }: Schema, at: string): FieldError[] {
  if (mapType === '') return [];
  const errors: FieldError[] = [];
  if (type !== 'object') {
    const detail = 'must be object if x-kubernetes-map-type is specified';
    errors.push(type === '' ? required(`${at}.type`, detail) : invalid(`${at}.type`, type, detail));
  }
  if (mapType !== 'atomic' && mapType !== 'granular') {
    errors.push(notSupported(`${at}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
  }
  return errors;
}
