/**
 * Finds what an API server would reject in an object whose types are right. Uses the rules of the local cluster. Pure.
 */
import {
  builtinDefinitions,
  decodeValue,
  type FieldError,
  fieldErrorMessage,
  type NameRule,
  type ResourceDefinition,
  validateMetadata,
} from '../../../../packages/local-cluster/src/index.ts';
import { DEFAULT_GATES } from '../../../model/feature-gates.ts';
import { fieldsAt, textAt } from '../../../kube/fields.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { Problem } from '../../../model/problem.ts';
import { findingOf, type LintObject, pathOfField } from './lint-object.ts';

/** Server state that the rules need. No finding about a manifest depends on it. */
const CONTEXT = { gates: DEFAULT_GATES, now: '2000-01-01T00:00:00Z' };

/** The findings for a kind of the local cluster; empty for any other kind. */
export function checkServerRules(object: LintObject): readonly Problem[] {
  const definition = definitionOf(object);
  if (definition === undefined) return [];
  const decoded = decodeValue(object.value, definition.type).value as JsonObject;
  const defaulted = definition.defaults(placed(decoded, definition.namespaced));
  const prepared = definition.prepareForCreate(defaulted, CONTEXT);
  const { nameRule } = definition;
  return refusals(object, [
    ...metadataErrors(prepared, definition.namespaced, nameRule),
    ...definition.validate(prepared, undefined, CONTEXT),
  ]);
}

/**
 * The findings about the metadata of a custom kind. A missing namespace is no finding, because the request would set
 * it.
 */
export function checkMetadata(object: LintObject, namespaced: boolean): readonly Problem[] {
  return refusals(object, metadataErrors(placed(object.value, namespaced), namespaced));
}

/** Servers write one of these instead of a field if the object as a whole is invalid. */
const WHOLE: readonly string[] = ['<nil>', '[]'];

/** A server adds this error to other errors. It reports no mistake of the object, so it is ignored. */
const NOT_CHECKED = 'some validation rules were not checked';

export function refusals(object: LintObject, errors: readonly FieldError[]): readonly Problem[] {
  const messages = new Set<string>();
  return errors.flatMap((error) => {
    if (error.isOnlyHere === true || error.detail.startsWith(NOT_CHECKED)) return [];
    const said = fieldErrorMessage(error).replace(/^(?:<nil>|\[\]): /u, '');
    if (messages.has(said)) return [];
    messages.add(said);
    return [
      findingOf(object, {
        code: 'LHM003',
        severity: 'error',
        path: WHOLE.includes(error.field) ? [] : pathOfField(object.value, error.field),
        message: `The API server would refuse this object: ${said.replace(/\.$/u, '')}.`,
        next: nextOf(error),
      }),
    ];
  });
}

function metadataErrors(
  object: JsonObject,
  namespaced: boolean,
  nameRule?: NameRule,
): readonly FieldError[] {
  return validateMetadata({ object, namespaced, ...(nameRule === undefined ? {} : { nameRule }) });
}

function nextOf({ type, field }: FieldError): string {
  if (type === 'Required') return `Add ${field}.`;
  if (type === 'Forbidden') return `Remove ${field}.`;
  return WHOLE.includes(field) ? 'Correct it.' : `Correct ${field}.`;
}

function definitionOf({ apiVersion, kind }: LintObject): ResourceDefinition | undefined {
  return builtinDefinitions().find(
    ({ group, version, kind: one }) =>
      one === kind && apiVersion === (group === '' ? version : `${group}/${version}`),
  );
}

/** The object as a request has it: with a namespace if the kind is namespaced, else without one. */
function placed(object: JsonObject, namespaced: boolean): JsonObject {
  const { namespace = '', ...metadata } = fieldsAt(object, 'metadata');
  const prefix = textAt(metadata, 'generateName');
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(namespaced ? { namespace: namespace === '' ? 'default' : namespace } : {}),
      ...(textAt(metadata, 'name') === '' && prefix !== '' ? { name: `${prefix}xxxxx` } : {}),
    },
  };
}
