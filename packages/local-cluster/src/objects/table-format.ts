/**
 * Formats objects as a Table of meta.k8s.io, which `kubectl get` requests.
 *
 * A Table has the kind's columns and one row for each object. Each row also contains the part of the object that the
 * caller asked for.
 */
import type { JsonObject } from '../../../../src/kube/object.ts';
import { fieldsAt } from '../../../../src/kube/fields.ts';
import type { PrinterColumn, ResourceDefinition } from './resource-definition.ts';

export interface TableOptions {
  readonly definition: Pick<ResourceDefinition, 'columns'>;
  readonly objects: readonly JsonObject[];
  /**
   * Metadata of the Table: resourceVersion, continue and remainingItemCount of a list, or resourceVersion of one
   * object.
   */
  readonly listMeta: JsonObject;
  /** Query parameter `includeObject`; Metadata if the query does not have it. */
  readonly includeObject: IncludeObject;
  /** Time up to which the ages in the table count: RFC 3339. */
  readonly now: string;
}

export type IncludeObject = 'None' | 'Metadata' | 'Object';

export function toTable(options: TableOptions): JsonObject {
  const { definition, objects, listMeta, includeObject, now } = options;
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: listMeta,
    columnDefinitions: definition.columns.map(columnDefinition),
    rows: objects.map((object) => ({
      cells: definition.columns.map((column) => column.value(object, now)),
      ...rowObject(object, includeObject),
    })),
  };
}

function columnDefinition({
  name,
  type,
  format,
  description,
  priority,
}: PrinterColumn): JsonObject {
  return { name, type, format, description, priority };
}

function rowObject(object: JsonObject, include: IncludeObject): { object: JsonObject | null } {
  if (include === 'None') return { object: null };
  if (include === 'Object') return { object };
  return {
    object: {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: fieldsAt(object, 'metadata'),
    },
  };
}

/**
 * Units of time in seconds, for durations as `kubectl get` shows them: at most two units, coarser for longer durations.
 */
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

interface Step {
  /** The step applies to durations below this many seconds. */
  readonly below: number;
  readonly unit: number;
  readonly letter: string;
  readonly minor?: { readonly unit: number; readonly letter: string };
}

const SECONDS = { unit: 1, letter: 's' };
const STEPS: readonly Step[] = [
  { below: 2 * MINUTE, ...SECONDS },
  { below: 10 * MINUTE, unit: MINUTE, letter: 'm', minor: SECONDS },
  { below: 3 * HOUR, unit: MINUTE, letter: 'm' },
  { below: 8 * HOUR, unit: HOUR, letter: 'h', minor: { unit: MINUTE, letter: 'm' } },
  { below: 2 * DAY, unit: HOUR, letter: 'h' },
  { below: 8 * DAY, unit: DAY, letter: 'd', minor: { unit: HOUR, letter: 'h' } },
  { below: 2 * YEAR, unit: DAY, letter: 'd' },
  { below: 8 * YEAR, unit: YEAR, letter: 'y', minor: { unit: DAY, letter: 'd' } },
  { below: Infinity, unit: YEAR, letter: 'y' },
];

/** A duration such as "5m3s" for 303.2 seconds. A time up to two seconds in the future counts as 0 seconds. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  const step = STEPS.find(({ below }) => seconds < below);
  if (step === undefined) return '<invalid>';
  const major = `${Math.floor(seconds / step.unit)}${step.letter}`;
  if (step.minor === undefined) return major;
  const minor = Math.floor((seconds % step.unit) / step.minor.unit);
  return minor === 0 ? major : `${major}${minor}${step.minor.letter}`;
}

/** Duration from one RFC 3339 time to another; "<unknown>" if `since` is ''. */
export function humanAge(since: string, now: string): string {
  const sinceMs = Date.parse(since);
  return Number.isNaN(sinceMs) ? '<unknown>' : humanDuration(Date.parse(now) - sinceMs);
}
