/** Writes objects and lists in the format that the client accepts. */
import type { JsonObject } from '../../../../src/kube/object.ts';
import { fieldsAt } from '../../../../src/kube/fields.ts';
import { type IncludeObject, toTable } from '../objects/table-format.ts';
import { asServed, type RequestScope, timestamp } from './context.ts';
import type { ServerAnswer } from './http.ts';
import { type Accepted, negotiate, notAcceptable } from './media-type.ts';
import { badRequest } from './status.ts';

export interface ObjectPage {
  readonly objects: readonly JsonObject[];
  /** Metadata of the list: resourceVersion, continue and remainingItemCount. */
  readonly listMeta: JsonObject;
}

export function acceptedShape({ request }: RequestScope): Accepted {
  return negotiate(request.headers['accept']);
}

export function objectAnswer(
  scope: RequestScope,
  object: JsonObject,
  status: number = 200,
): ServerAnswer {
  const accepted = acceptedShape(scope);
  if (accepted.as === 'PartialObjectMetadataList') {
    throw notAcceptable(
      `you requested ${accepted.as}, but the requested object is not a list (${typeName(scope, scope.definition.kind)})`,
    );
  }
  return jsonAnswer(shapeObject(scope, accepted, object), status, scope.warnings);
}

/** Converts one object of a response or a watch event to the accepted format. */
export function shapeObject(
  scope: RequestScope,
  { shape, version }: Accepted,
  object: JsonObject,
): JsonObject {
  if (shape === 'object') return object;
  if (shape === 'metadata') return partialObject(object, version);
  const resourceVersion = fieldsAt(object, 'metadata')['resourceVersion'] ?? '';
  return tableOf(scope, version, { objects: [object], listMeta: { resourceVersion } });
}

export function listAnswer(scope: RequestScope, page: ObjectPage): ServerAnswer {
  return jsonAnswer(shapeList(scope, page), 200, scope.warnings);
}

function shapeList(scope: RequestScope, page: ObjectPage): JsonObject {
  const { shape, version, as } = acceptedShape(scope);
  if (as === 'PartialObjectMetadata') {
    throw notAcceptable(
      `you requested ${as}, but the requested object is a list (${typeName(scope, scope.definition.listKind)})`,
    );
  }
  if (shape === 'object') return plainList(scope, page);
  if (shape === 'metadata') return partialList(page, version);
  const objects = page.objects.map((object) => asServed(scope.definition, object));
  return tableOf(scope, version, { ...page, objects });
}

/** The Go type name of the kind in messages of a real server. */
function typeName(
  { definition: { group, errorGroup = group, custom } }: RequestScope,
  kind: string,
): string {
  if (custom) return `*unstructured.Unstructured${kind.endsWith('List') ? 'List' : ''}`;
  const groupPart = errorGroup === '' ? 'core' : (errorGroup.split('.')[0] ?? '');
  return `*${groupPart}.${kind}`;
}

/** Builds the list in plain JSON. Like a real server, omits apiVersion and kind of the items of a built-in kind. */
function plainList({ definition }: RequestScope, { objects, listMeta }: ObjectPage): JsonObject {
  const { group, version, listKind, custom } = definition;
  const served = objects.map((object) => asServed(definition, object));
  const items = custom
    ? served
    : served.map(({ kind: _kind, apiVersion: _apiVersion, ...item }) => item);
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return { kind: listKind, apiVersion, metadata: listMeta, items };
}

function partialObject(object: JsonObject, version: string): JsonObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: fieldsAt(object, 'metadata'),
  };
}

function partialList({ objects, listMeta }: ObjectPage, version: string): JsonObject {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: listMeta,
    items: objects.map((object) => partialObject(object, version)),
  };
}

function tableOf(scope: RequestScope, version: string, page: ObjectPage): JsonObject {
  const { definition, request, api } = scope;
  const table = toTable({
    definition,
    ...page,
    includeObject: includeObject(request.query.get('includeObject') ?? ''),
    now: timestamp(api.platform.clock.nowMs()),
  });
  return { ...table, apiVersion: `meta.k8s.io/${version}` };
}

function includeObject(text: string): IncludeObject {
  switch (text) {
    case '':
    case 'Metadata':
      return 'Metadata';
    case 'None':
    case 'Object':
      return text;
    default:
      throw badRequest(
        `includeObject: Unsupported value: "${text}": supported values: "None", "Metadata", "Object"`,
      );
  }
}

export function jsonAnswer(
  body: JsonObject,
  status: number = 200,
  warnings: ReadonlySet<string> = new Set(),
): ServerAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...warningHeader(warnings) },
    body: `${JSON.stringify(body)}\n`,
  };
}

/**
 * Maximum number of characters of all warnings together. Further warnings are dropped, because the size of headers is
 * limited.
 */
const MAX_WARNING_CHARS = 4_096;

export function warningHeader(warnings: ReadonlySet<string>): Readonly<Record<string, string>> {
  const lines: string[] = [];
  let length = 0;
  for (const warning of warnings) {
    const line = `299 - ${quoted(warning)}`;
    length += line.length + 2;
    if (length > MAX_WARNING_CHARS) break;
    lines.push(line);
  }
  return lines.length === 0 ? {} : { warning: lines.join(', ') };
}

/** Quotes a text for a header. Control characters become blanks, and characters beyond ASCII become question marks. */
function quoted(text: string): string {
  const printable = text.replaceAll(/\p{Cc}/gu, ' ').replaceAll(/[^ -~]/g, '?');
  return `"${printable.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`;
}
