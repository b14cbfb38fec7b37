/** Reads and writes the entries of metadata.managedFields: the owners of an object's fields. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, ownField } from '../patch/json-value.ts';
import { type FieldSet, fieldsV1, parseFieldsV1 } from './field-set.ts';

export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** Time of the last change, RFC 3339; undefined if the entry has no time. */
  readonly time?: string;
  /** Subresource that the manager wrote to; '' for the object itself. */
  readonly subresource: string;
  readonly fields: FieldSet;
}

/** Managers by identity. Functions return a new map and never change the one they get. */
export type Managers = ReadonlyMap<string, Manager>;

/** Identity of an entry. A manager has one Apply entry for all versions, but one Update entry for each version. */
export function identityOf(manager: Omit<Manager, 'fields' | 'time'>): string {
  const { name, operation, apiVersion, subresource } = manager;
  return JSON.stringify([name, operation, operation === 'Apply' ? '' : apiVersion, subresource]);
}

export function managersOf(managers: Iterable<Manager>): Managers {
  return new Map([...managers].map((manager) => [identityOf(manager), manager]));
}

export function managedFieldsOf(object: JsonObject | undefined): Json | undefined {
  const metadata = object === undefined ? undefined : ownField(object, 'metadata');
  return isJsonObject(metadata) ? ownField(metadata, 'managedFields') : undefined;
}

/** Returns undefined if the entries are invalid. */
export function readManagers(entries: Json | undefined): Managers | undefined {
  if (entries === undefined || entries === null) return new Map();
  if (!Array.isArray(entries)) return undefined;
  const managers = entries.map(readManager);
  return managers.includes(undefined)
    ? undefined
    : managersOf(managers.filter((manager) => manager !== undefined));
}

function readManager(entry: Json): Manager | undefined {
  if (!isJsonObject(entry) || textOf(entry, 'fieldsType') !== 'FieldsV1') return undefined;
  const operation = textOf(entry, 'operation');
  const apiVersion = textOf(entry, 'apiVersion');
  const fields = parseFieldsV1(ownField(entry, 'fieldsV1') ?? {});
  if ((operation !== 'Apply' && operation !== 'Update') || apiVersion === '') return undefined;
  if (fields === undefined) return undefined;
  const time = textOf(entry, 'time');
  return {
    name: textOf(entry, 'manager'),
    operation,
    apiVersion,
    ...(time === '' ? {} : { time }),
    subresource: textOf(entry, 'subresource'),
    fields,
  };
}

function textOf(entry: JsonObject, name: string): string {
  const text = ownField(entry, name);
  return typeof text === 'string' ? text : '';
}

export function withoutManagedFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || !Object.hasOwn(metadata, 'managedFields')) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

export function withManagers(object: JsonObject, managers: Managers): JsonObject {
  const bare = withoutManagedFields(object);
  if (managers.size === 0) return bare;
  const metadata = isJsonObject(bare['metadata']) ? bare['metadata'] : {};
  const managedFields = [...managers.values()].toSorted(compareManagers).map(writeManager);
  return { ...bare, metadata: { ...metadata, managedFields } };
}

/** Orders entries: Apply before Update, then by time. The other fields only make the order unique. */
function compareManagers(left: Manager, right: Manager): number {
  return (
    compareTexts(left.operation, right.operation) ||
    secondsOf(left) - secondsOf(right) ||
    compareTexts(left.name, right.name) ||
    compareTexts(left.apiVersion, right.apiVersion) ||
    compareTexts(left.subresource, right.subresource)
  );
}

export function secondsOf({ time }: Manager): number {
  const ms = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000);
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function writeManager(manager: Manager): JsonObject {
  const { name, operation, apiVersion, time, subresource, fields } = manager;
  return {
    ...(name === '' ? {} : { manager: name }),
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: fieldsV1(fields),
    ...(subresource === '' ? {} : { subresource }),
  };
}
