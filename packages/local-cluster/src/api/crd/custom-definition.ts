/**
 * Builds the resource definitions of one custom kind, one for each served version.
 *
 * Objects are stored in the storage version. Versions differ only in the fields that their schemas prune and default.
 */
import type { JsonObject, Json } from '../../../../../src/kube/object.ts';
import type { CancelSignal } from '../../../../../src/platform/platform.ts';
import {
  isTrue,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
  numberAt,
} from '../../../../../src/kube/fields.ts';
import {
  ALL_VERBS,
  type ResourceDefinition,
  type ScalePaths,
  type StoredForm,
  type PrinterColumn,
} from '../../objects/resource-definition.ts';
import type { CompiledSchema } from '../../objects/structural/compile.ts';
import { apiVersionOf } from '../registry.ts';
import { forbidden } from '../status.ts';
import { customStrategy, finalizerWarnings } from './custom-strategy.ts';
import { findAll, parseJsonPath } from './json-path.ts';
import { NAME } from '../../objects/kinds/columns.ts';
import { humanAge } from '../../objects/table-format.ts';

export interface CustomKind {
  /** The CustomResourceDefinition, with its accepted names. */
  readonly definition: JsonObject;
  readonly schemas: ReadonlyMap<string, CompiledSchema>;
  /** True if the definition is being deleted; then no objects can be created. */
  readonly terminating: boolean;
  readonly ended: CancelSignal;
}

/** The definitions of every served version. */
export function customDefinitions(kind: CustomKind): readonly ResourceDefinition[] {
  return objectsAt(kind.definition, 'spec', 'versions').flatMap((version) => {
    const schema = kind.schemas.get(textAt(version, 'name'));
    return schema === undefined || !isTrue(version, 'served')
      ? []
      : [customDefinition(kind, version, schema)];
  });
}

function customDefinition(
  kind: CustomKind,
  version: JsonObject,
  schema: CompiledSchema,
): ResourceDefinition {
  const names = objectAt(kind.definition, 'status', 'acceptedNames') ?? {};
  const group = textAt(kind.definition, 'spec', 'group');
  const plural = textAt(names, 'plural');
  const subresources = {
    status: objectAt(version, 'subresources', 'status') !== undefined,
    scale: scalePaths(version),
  };
  const strategy = customStrategy(schema, subresources);
  return {
    group,
    version: textAt(version, 'name'),
    kind: textAt(names, 'kind'),
    listKind: textAt(names, 'listKind'),
    plural,
    singular: textAt(names, 'singular'),
    shortNames: textsAt(names, 'shortNames'),
    categories: textsAt(names, 'categories'),
    namespaced: textAt(kind.definition, 'spec', 'scope') === 'Namespaced',
    storageName: `${plural}.${group}`,
    subresources,
    verbs: ALL_VERBS,
    type: schema.type,
    custom: true,
    plainFinalizers: true,
    ended: kind.ended,
    statusLeaves: [['spec'], ['metadata']],
    conversion: storedForm(kind, { group, version: textAt(version, 'name'), schema }),
    fieldSelectors: selectableFields(version),
    columns: printerColumns(version),
    defaults: (object) => schema.default(schema.prune(object)),
    ...strategy,
    warn: finalizerWarnings,
    prepareForCreate: (object, context) => {
      if (kind.terminating)
        throw forbidden({ group, plural }, textAt(object, 'metadata', 'name'), TERMINATING);
      return strategy.prepareForCreate(object, context);
    },
  };
}

const TERMINATING = {
  why: 'create not allowed while custom resource definition is terminating',
};

function scalePaths(version: JsonObject): ScalePaths | null {
  const scale = objectAt(version, 'subresources', 'scale');
  if (scale === undefined) return null;
  return {
    specReplicas: textAt(scale, 'specReplicasPath'),
    statusReplicas: textAt(scale, 'statusReplicasPath'),
    labelSelector: textAt(scale, 'labelSelectorPath') || null,
  };
}

function selectableFields(version: JsonObject): ResourceDefinition['fieldSelectors'] {
  return Object.fromEntries(
    objectsAt(version, 'selectableFields').map((field) => {
      const path = textAt(field, 'jsonPath');
      const steps = parseJsonPath(path) ?? [];
      const value = (object: JsonObject): string => {
        const [found = ''] = findAll(object, steps);
        return typeof found === 'object' ? '' : String(found);
      };
      return [path.replace(/^\./, ''), value];
    }),
  );
}

interface Version {
  readonly group: string;
  readonly version: string;
  readonly schema: CompiledSchema;
}

function storedForm(
  { definition, schemas }: CustomKind,
  { group, version, schema }: Version,
): StoredForm {
  const storage = objectsAt(definition, 'spec', 'versions').find((one) => isTrue(one, 'storage'));
  const storedAs = apiVersionOf({ group, version: textAt(storage ?? {}, 'name') });
  const apiVersion = apiVersionOf({ group, version });
  const served = new WeakMap<JsonObject, JsonObject>();
  const serve = (stored: JsonObject): JsonObject => {
    const written = schemas.get(textAt(stored, 'apiVersion').split('/').at(-1) ?? '') ?? schema;
    const filled = written.default(written.prune(stored));
    const pruned = written === schema ? filled : schema.prune(filled);
    return { ...pruned, apiVersion };
  };
  return {
    toStored: (object) => ({ ...object, apiVersion: storedAs }),
    fromStored: (stored) => {
      // An object that was never stored (a bookmark) gets no defaults.
      if (textAt(stored, 'metadata', 'uid') === '') return { ...stored, apiVersion };
      const known = served.get(stored);
      if (known !== undefined) return known;
      const made = serve(stored);
      served.set(stored, made);
      return made;
    },
  };
}

type Cell = ReturnType<PrinterColumn['value']>;

/** The table columns of a custom kind: the name, and the columns of its definition or, without any, the age. */
function printerColumns(version: JsonObject): readonly PrinterColumn[] {
  const asked = objectsAt(version, 'additionalPrinterColumns').map(columnOf);
  return asked.length === 0 ? [NAME, AGE] : [NAME, ...asked];
}

const AGE: PrinterColumn = {
  name: 'Age',
  type: 'date',
  format: '',
  description: 'How long ago it was created.',
  priority: 0,
  value: (object, now) => ageCell(textAt(object, 'metadata', 'creationTimestamp'), now),
};

const TYPES = ['string', 'integer', 'number', 'boolean', 'date'] as const;

function columnOf(column: JsonObject): PrinterColumn {
  const path = textAt(column, 'jsonPath');
  const steps = parseJsonPath(path);
  const type = TYPES.find((known) => known === textAt(column, 'type')) ?? 'string';
  return {
    name: textAt(column, 'name'),
    type,
    format: textAt(column, 'format'),
    description:
      textAt(column, 'description') ||
      `Custom resource definition column (in JSONPath format): ${path}`,
    priority: numberAt(column, 'priority') ?? 0,
    value: (object, now) => {
      const [found] = steps === undefined ? [] : findAll(object, steps);
      return found === undefined ? null : cell(found, type, now);
    },
  };
}

/** The cell of a value; empty if the value has another type than the column. */
function cell(value: Json, type: PrinterColumn['type'], now: string): Cell {
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'string':
      return textCell(value);
    case 'date':
      return typeof value === 'string' ? ageCell(value, now) : null;
    default:
      return type satisfies never;
  }
}

function textCell(value: Json): Cell {
  if (value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function ageCell(since: string, now: string): Cell {
  if (since === '') return '<unknown>';
  return Number.isNaN(Date.parse(since)) ? '<invalid>' : humanAge(since, now);
}
