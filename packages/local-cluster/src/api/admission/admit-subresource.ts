/** Admits requests of subresources whose object is not stored: an eviction, an exec. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { ObjectKind } from '../admission.ts';
import type { RequestScope } from '../context.ts';
import { admissionRequest } from '../verbs/admit.ts';
import { isTrue } from '../request-info.ts';

export interface SubresourceObject extends Omit<ObjectKind, 'type'> {
  readonly operation: 'CREATE' | 'CONNECT';
  /** Fields of the object except apiVersion and kind. */
  readonly fields: JsonObject;
  readonly options: JsonObject | null;
  readonly dryRun: boolean;
}

/** Returns the object after admission; throws if admission refuses it. */
export async function admitSubresource(
  scope: RequestScope,
  { operation, fields, options, dryRun, group, version, kind }: SubresourceObject,
): Promise<JsonObject> {
  const { admission } = scope.api;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const request = admissionRequest(scope, {
    operation,
    object: { ...fields, apiVersion, kind },
    oldObject: null,
    name: scope.info.name,
    options,
    dryRun,
    objectKind: { group, version, kind, type: { kind: 'any' } },
  });
  const object = await admission.mutate(request);
  await admission.validate({ ...request, object });
  return object;
}

/**
 * Kind of the object that admission reviews for a connection, by subresource. The query has the fields of that object.
 */
const KINDS: Readonly<Record<string, string>> = {
  attach: 'PodAttachOptions',
  exec: 'PodExecOptions',
  portforward: 'PodPortForwardOptions',
};

/** Throws if admission refuses the connection. */
export async function admitConnection(scope: RequestScope): Promise<void> {
  const { info, request } = scope;
  const kind = KINDS[info.subresource];
  if (kind === undefined) return;
  await admitSubresource(scope, {
    operation: 'CONNECT',
    group: '',
    version: 'v1',
    kind,
    fields: info.subresource === 'portforward' ? portsOf(request.query) : streamsOf(request.query),
    options: null,
    dryRun: false,
  });
}

/** Reads the options of exec and attach. An option that is false is omitted. */
function streamsOf(query: URLSearchParams): JsonObject {
  const asked = ['stdin', 'stdout', 'stderr', 'tty'].filter((name) => isTrue(query.get(name)));
  const container = query.get('container') ?? '';
  const command = query.getAll('command');
  return {
    ...Object.fromEntries(asked.map((name) => [name, true])),
    ...(container === '' ? {} : { container }),
    ...(command.length === 0 ? {} : { command }),
  };
}

function portsOf(query: URLSearchParams): JsonObject {
  const ports = query.getAll('ports').flatMap((text) => text.split(',').map(Number));
  return ports.length === 0 || ports.some(Number.isNaN) ? {} : { ports };
}
