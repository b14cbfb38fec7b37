/** Checks objects inside of an object (x-kubernetes-embedded-resource): they need a kind, and valid metadata. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import type { FieldError } from '../field-error.ts';
import { invalid, required } from '../field-errors.ts';
import { validateMetadata } from '../metadata.ts';
import { pathSegment } from '../metadata-names.ts';
import { isJsonObject, ownField } from '../patch/json-value.ts';
import { additionalSchema, type Schema } from './schema.ts';

/** The root is excluded: its metadata is validated as for every kind. */
export function validateEmbedded(value: Json, schema: Schema | null, path: string): FieldError[] {
  if (schema === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => validateEmbedded(item, schema.items, `${path}[${at}]`));
  }
  if (!isJsonObject(value)) return [];
  const own = schema.embedded ? validateOne(value, path) : [];
  const inner = Object.entries(value).flatMap(([name, field]) => {
    const property = schema.properties.get(name);
    if (property === undefined) {
      return validateEmbedded(field, additionalSchema(schema), `${path}[${name}]`);
    }
    return validateEmbedded(field, property, path === '' ? name : `${path}.${name}`);
  });
  return [...own, ...inner];
}

function validateOne(object: JsonObject, path: string): FieldError[] {
  return [
    ...nameFaults(object, 'apiVersion', path),
    ...nameFaults(object, 'kind', path),
    ...metadataFaults(object, path),
  ];
}

function nameFaults(object: JsonObject, field: string, path: string): FieldError[] {
  const value = ownField(object, field);
  if (value === undefined) return [required(`${path}.${field}`)];
  if (typeof value !== 'string') return [invalid(`${path}.${field}`, value, 'must be a string')];
  return value === '' ? [invalid(`${path}.${field}`, value, 'must not be empty')] : [];
}

/** No name is required: the object exists only inside of another one. */
function metadataFaults(object: JsonObject, path: string): FieldError[] {
  const metadata = ownField(object, 'metadata');
  if (metadata === undefined) return [];
  if (!isJsonObject(metadata)) return [invalid(`${path}.metadata`, metadata, 'must be an object')];
  const named = { name: 'unnamed', ...metadata };
  const namespaced = ownField(metadata, 'namespace') !== undefined;
  const options = {
    object: { metadata: named },
    namespaced,
    nameRule: pathSegment,
    plainFinalizers: true,
  };
  return validateMetadata(options).map((error) => ({
    ...error,
    field: `${path}.${error.field}`,
  }));
}
