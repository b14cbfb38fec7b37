/** The columns that a custom kind shows: its name, and what its definition asks for or else its age. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { NAME } from '../../objects/kinds/columns.ts';
import { numberAt, objectsAt, textAt } from '../../../../../src/kube/fields.ts';
import type { PrinterColumn } from '../../objects/resource-definition.ts';
import { humanAge } from '../../objects/table-format-duration.ts';
import { findAll, parseJsonPath } from './json-path.ts';

type Cell = ReturnType<PrinterColumn['value']>;

/** Of one version. */
export function printerColumns(version: JsonObject): readonly PrinterColumn[] {
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

/** What is not of the column's type shows nothing. */
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
