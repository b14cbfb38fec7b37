/**
 * Encodes the OpenAPI v2 document in protobuf, the only format that kubectl and other Go clients read.
 *
 * The messages are those of the package openapi.v2, with only the fields that our document uses. A field that its
 * message does not have is omitted.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { bytesField, integerField, joined } from '../../../../../src/model/protobuf.ts';
import { isJsonObject } from '../patch/json-value.ts';

export function encodeOpenApiV2(document: JsonObject): Uint8Array {
  return encode(document, DOCUMENT);
}

/** Encodes one value with its field number. */
type Write = (value: Json) => Uint8Array;

interface Message {
  /** Writers by the field's name in the JSON document. */
  readonly fields: Readonly<Record<string, Write>>;
  /** Field number of all fields whose name begins with "x-". */
  readonly extension?: number;
}

const EMPTY = new Uint8Array();
const utf8 = new TextEncoder();

function encode(value: Json, { fields, extension }: Message): Uint8Array {
  if (!isJsonObject(value)) return EMPTY;
  return joined(
    Object.entries(value).map(([name, part]) => {
      if (extension !== undefined && name.startsWith('x-')) return pair(extension, any)(name, part);
      return Object.hasOwn(fields, name) ? (fields[name]?.(part) ?? EMPTY) : EMPTY;
    }),
  );
}

const text =
  (number: number): Write =>
  (value) =>
    bytesField(number, utf8.encode(typeof value === 'string' ? value : JSON.stringify(value)));

const whole =
  (number: number): Write =>
  (value) =>
    integerField(number, Number(value));

const each =
  (write: Write): Write =>
  (value) =>
    joined((Array.isArray(value) ? value : [value]).map(write));

/** Encodes a value as a field of a nested message. */
const within =
  (number: number, write: Write): Write =>
  (value) =>
    bytesField(number, write(value));

const message = (number: number, of: () => Message): Write =>
  within(number, (value) => encode(value, of()));

/** Encodes any value as YAML: JSON is valid YAML. */
const any = (number: number): Write =>
  within(number, (value) => text(2)(`${JSON.stringify(value)}\n`));

/** Encodes one entry of a map: a message with name and value. */
const pair =
  (number: number, value: (number: number) => Write) =>
  (name: string, part: Json): Uint8Array =>
    bytesField(number, joined([text(1)(name), value(2)(part)]));

const map =
  (number: number, value: (number: number) => Write): Write =>
  (parts) =>
    joined(
      Object.entries(isJsonObject(parts) ? parts : {}).map(([name, part]) =>
        pair(number, value)(name, part),
      ),
    );

const schema = (number: number): Write => message(number, () => SCHEMA);
const schemas = (number: number): Write => within(number, map(1, schema));

const SCHEMA: Message = {
  extension: 31,
  fields: {
    $ref: text(1),
    format: text(2),
    title: text(3),
    description: text(4),
    default: any(5),
    pattern: text(13),
    required: each(text(19)),
    enum: each(any(20)),
    additionalProperties: within(21, (value) =>
      typeof value === 'boolean' ? whole(2)(value) : schema(1)(value),
    ),
    type: within(22, each(text(1))),
    items: within(23, each(schema(1))),
    allOf: each(schema(24)),
    properties: schemas(25),
  },
};

const PARAMETER: Message = {
  fields: { required: whole(1), in: text(2), description: text(3), name: text(4) },
};
const QUERY: Message = { fields: { ...PARAMETER.fields, type: text(6), uniqueItems: whole(20) } };
const PATH: Message = { fields: { ...PARAMETER.fields, type: text(5), uniqueItems: whole(19) } };

/** Encodes parameters of a query or a path. Our document has no body parameters. */
const parameters = (number: number): Write =>
  each(
    within(
      number,
      within(
        1,
        within(2, (value) =>
          isJsonObject(value) && value['in'] === 'query'
            ? message(3, () => QUERY)(value)
            : message(4, () => PATH)(value),
        ),
      ),
    ),
  );

const RESPONSE: Message = { fields: { description: text(1), schema: within(2, schema(1)) } };

const OPERATION: Message = {
  extension: 13,
  fields: {
    parameters: parameters(8),
    responses: within(
      9,
      map(1, (number) =>
        within(
          number,
          message(1, () => RESPONSE),
        ),
      ),
    ),
  },
};

const operation = (number: number): Write => message(number, () => OPERATION);

const PATH_ITEM: Message = {
  extension: 10,
  fields: {
    get: operation(2),
    put: operation(3),
    post: operation(4),
    delete: operation(5),
    patch: operation(8),
    parameters: parameters(9),
  },
};

const API_KEY: Message = { fields: { type: text(1), name: text(2), in: text(3) } };

const DOCUMENT: Message = {
  fields: {
    swagger: text(1),
    info: message(2, () => ({ fields: { title: text(1), version: text(2) } })),
    paths: within(
      8,
      map(2, (number) => message(number, () => PATH_ITEM)),
    ),
    definitions: schemas(9),
    security: each(
      within(
        12,
        map(1, (number) => within(number, each(text(1)))),
      ),
    ),
    securityDefinitions: within(
      13,
      map(1, (number) =>
        within(
          number,
          message(2, () => API_KEY),
        ),
      ),
    ),
  },
};
