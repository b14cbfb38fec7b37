/** Reads the options of a delete: from its body, or from its query if there is no body. */
import type { JsonObject } from '../../../../src/kube/object.ts';
import { type FieldError, invalid as invalidField, notSupported } from '../objects/field-error.ts';
import { jsonFault } from '../objects/decode-body.ts';
import { fieldsAt, isObject, numberAt, textAt, textsAt } from '../../../../src/kube/fields.ts';
import type { ServerRequest } from './http.ts';
import { bareType } from './media-type.ts';
import { PROTOBUF_TYPE } from './protobuf/decode-protobuf.ts';
import { readProtobuf } from './read-object.ts';
import { dryRunErrors, refuse, wholeNumber } from './options.ts';
import { isTrue } from './request-info.ts';
import { badRequest, type StatusError } from './status.ts';

export interface DeleteOptions {
  readonly graceSeconds: number | undefined;
  readonly policy: PropagationPolicy | undefined;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly dryRun: boolean;
  /** The same options as an object, for admission. */
  readonly object: JsonObject;
}

export type PropagationPolicy = 'Orphan' | 'Background' | 'Foreground';

const POLICIES: readonly string[] = ['Foreground', 'Background', 'Orphan'];

export function deleteOptions(request: ServerRequest): DeleteOptions {
  const object = request.body.trim() === '' ? fromQuery(request.query) : fromBody(request);
  const policy = textAt(object, 'propagationPolicy');
  const orphan = object['orphanDependents'];
  const dryRun = textsAt(object, 'dryRun');
  refuse('DeleteOptions', [...policyErrors(policy, orphan), ...dryRunErrors(dryRun)]);
  return {
    graceSeconds: numberAt(object, 'gracePeriodSeconds'),
    policy: policyOf(policy, orphan),
    uid: textAt(object, 'preconditions', 'uid'),
    resourceVersion: textAt(object, 'preconditions', 'resourceVersion'),
    dryRun: dryRun.includes('All'),
    object: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', ...object },
  };
}

function fromQuery(query: URLSearchParams): JsonObject {
  const grace = wholeNumber(query, 'gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  const orphan = query.get('orphanDependents');
  const dryRun = query.getAll('dryRun');
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(orphan === null ? {} : { orphanDependents: isTrue(orphan) }),
    ...(dryRun.length === 0 ? {} : { dryRun }),
  };
}

function fromBody({ body, headers }: ServerRequest): JsonObject {
  if (bareType(headers['content-type']) === PROTOBUF_TYPE) return readProtobuf(body);
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw unreadable(`couldn't get version/kind; json parse error: ${jsonFault(body, error)}`);
  }
  const object = value as JsonObject;
  if (!isObject(object)) throw unreadable("couldn't get version/kind; the body is not an object");
  const kind = textAt(object, 'kind');
  if (kind !== '' && kind !== 'DeleteOptions') {
    throw unreadable(`no kind ${JSON.stringify(kind)} is a DeleteOptions`);
  }
  refuseOtherTypes(object);
  return object;
}

function unreadable(message: string): StatusError {
  return badRequest(message);
}

const FIELDS: Readonly<Record<string, (value: JsonObject[string]) => boolean>> = {
  gracePeriodSeconds: (value) => Number.isInteger(value),
  propagationPolicy: (value) => typeof value === 'string',
  orphanDependents: (value) => typeof value === 'boolean',
  preconditions: isObject,
  dryRun: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
};

/** Refuses options of a wrong type. Ignoring a bad precondition could delete an object that it protects. */
function refuseOtherTypes(object: JsonObject): void {
  const preconditions = fieldsAt(object, 'preconditions');
  const wrong =
    Object.entries(FIELDS).find(([name, fits]) => {
      const value = object[name] ?? null;
      return value !== null && !fits(value);
    }) ??
    Object.entries(preconditions).find(([, value]) => value !== null && typeof value !== 'string');
  if (wrong === undefined) return;
  throw unreadable(`json: cannot unmarshal Go struct field DeleteOptions.${wrong[0]}`);
}

function policyErrors(policy: string, orphan: JsonObject[string] | undefined): FieldError[] {
  const field = 'propagationPolicy';
  const both = 'orphanDependents and deletionPropagation cannot be both set';
  return [
    ...(policy !== '' && typeof orphan === 'boolean' ? [invalidField(field, policy, both)] : []),
    ...(policy === '' || POLICIES.includes(policy)
      ? []
      : [notSupported(field, policy, [...POLICIES, 'nil'])]),
  ];
}

function policyOf(
  policy: string,
  orphan: JsonObject[string] | undefined,
): PropagationPolicy | undefined {
  if (policy === 'Orphan' || policy === 'Background' || policy === 'Foreground') return policy;
  if (typeof orphan !== 'boolean') return undefined;
  return orphan ? 'Orphan' : 'Background';
}
