/**
 * Decodes the object in the body of a request: it must be of the kind in the path, and unknown fields are dropped.
 *
 * Errors have the texts of a real API server, except the one about an integer that is too large.
 */
import type { Json, JsonObject } from '../../../../src/kube/object.ts';
import { apiVersionOf } from '../../../../src/kube/object.ts';
import { type DecodedValue, decodeValue } from './decode-value.ts';
import { inexactFault } from './inexact-integers.ts';
import { isJsonObject, ownField } from './patch/json-value.ts';
import type { TypeNode } from './type-node.ts';

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

export interface DecodeOptions {
  readonly body: Json;
  /** Text that the body, or the patch that changed it, was read from; default: none. See `inexactFault`. */
  readonly text?: string;
  /** Paths of duplicate fields, which the parser of the body has found. */
  readonly duplicates?: readonly string[];
  /** Duplicate and unknown fields of the patch that the body results from, as texts for users. */
  readonly patchFaults?: readonly string[];
  readonly group: string;
  /** Group to name in the error about another kind; default: `group`. */
  readonly errorGroup?: string;
  readonly version: string;
  readonly kind: string;
  readonly type: TypeNode;
  readonly fieldValidation: FieldValidation;
}

export type DecodedObject =
  | { readonly kind: 'decoded'; readonly object: JsonObject; readonly warnings: readonly string[] }
  | DecodeFailure;

export interface DecodeFailure {
  readonly kind: 'failed';
  readonly code: 400 | 415;
  readonly reason: 'BadRequest' | 'UnsupportedMediaType';
  readonly message: string;
  /** The end of the message if its start only names the kind. */
  readonly why?: string;
}

export function decodeObject(options: DecodeOptions): DecodedObject {
  const { body, type, fieldValidation } = options;
  if (!isJsonObject(body)) {
    return badRequest(
      `the object provided is unrecognized (must be of type ${options.kind}): couldn't get version/kind; the body is not an object`,
    );
  }
  const kindFault = kindFaultOf(body, options);
  if (kindFault !== undefined) return badRequest(kindFault);
  const decoded = decodeValue(body, type);
  const fault = valueFault(decoded, options);
  if (fault !== undefined) return cannotBeHandled(options, fault);
  const { apiVersion: _version, kind: _kind, ...fields } = decoded.value as JsonObject;
  const object = { apiVersion: apiVersionOf(options), kind: options.kind, ...fields };
  const faults = strictFaults(
    type.kind === 'struct' && type.typeName === '' ? decoded.unknown.toSorted() : decoded.unknown,
    options,
  );
  if (faults.length === 0 || fieldValidation === 'Ignore')
    return { kind: 'decoded', object, warnings: [] };
  if (fieldValidation === 'Warn') return { kind: 'decoded', object, warnings: faults };
  return cannotBeHandled(options, `strict decoding error: ${faults.join(', ')}`);
}

function valueFault(
  { value = null, error }: DecodedValue,
  { type, text = '' }: DecodeOptions,
): string | undefined {
  return error ?? inexactFault(value, type, text);
}

export function badRequest(message: string): DecodeFailure {
  return { kind: 'failed', code: 400, reason: 'BadRequest', message };
}

function strictFaults(
  unknown: readonly string[],
  { duplicates = [], patchFaults = [] }: DecodeOptions,
): string[] {
  return [
    ...patchFaults,
    ...duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`),
    ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`),
  ];
}

/** Returns the error for a body of another kind or apiVersion. A body may omit both. */
function kindFaultOf(body: JsonObject, options: DecodeOptions): string | undefined {
  const expected = apiVersionOf(options);
  const { errorGroup = options.group } = options;
  const apiVersion = nameIn(body, 'apiVersion') ?? expected;
  const kind = nameIn(body, 'kind') ?? options.kind;
  if (kind !== options.kind) {
    const [program = ''] = errorGroup.split('.');
    const converting = `converting (v1.${kind}) to (${program === '' ? 'core' : program}.${options.kind}): unknown conversion`;
    return `${kind} in version ${JSON.stringify(apiVersion.split('/').at(-1))} cannot be handled as a ${options.kind}: ${converting}`;
  }
  if (apiVersion === expected) return undefined;
  return `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`;
}

function nameIn(body: JsonObject, field: string): string | undefined {
  const value = ownField(body, field);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function cannotBeHandled({ kind, version }: DecodeOptions, why: string): DecodeFailure {
  return {
    ...badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`),
    why,
  };
}
