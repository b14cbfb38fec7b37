/** Builds the printer columns of the built-in kinds. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { PrinterColumn } from '../resource-definition.ts';
import { formatRequirements } from '../selector.ts';
import { formatSelector } from '../selector-object.ts';
import { humanAge } from '../table-format.ts';
import { numberAt, objectsAt, textAt, textMapAt } from '../../../../../src/kube/fields.ts';

type Cell = ReturnType<PrinterColumn['value']>;

export const NONE = '<none>';

export const NAME: PrinterColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Unique within its namespace, or in the cluster for kinds without one.',
  priority: 0,
  value: (object) => textAt(object, 'metadata', 'name'),
};

export const AGE: PrinterColumn = {
  ...text('Age', (object, now) => humanAge(textAt(object, 'metadata', 'creationTimestamp'), now)),
  description: 'How long ago it was created.',
};

/** Second column of kinds whose only other column is the name. */
export const CREATED_AT: PrinterColumn = {
  ...text('Created At', (object) => textAt(object, 'metadata', 'creationTimestamp')),
  type: 'date',
  description: 'When it was created.',
};

export function text(
  name: string,
  value: (object: JsonObject, now: string) => Cell,
): PrinterColumn {
  return { name, type: 'string', format: '', description: '', priority: 0, value };
}

export function textField(name: string, ...path: readonly string[]): PrinterColumn {
  return text(name, (object) => textAt(object, ...path));
}

/** Shows `<none>` if the field is absent. */
export function textOrNone(name: string, ...path: readonly string[]): PrinterColumn {
  return text(name, (object) => textAt(object, ...path) || NONE);
}

/** Shows a map as `key=value` pairs, and `<none>` if it is empty. */
export function pairsField(name: string, ...path: readonly string[]): PrinterColumn {
  return text(name, (object) => {
    const pairs = Object.entries(textMapAt(object, ...path));
    const requirements = pairs.map(
      ([key, value]) => ({ key, operator: '=', values: [value] }) as const,
    );
    return formatRequirements(requirements) || NONE;
  });
}

export function integerField(name: string, ...path: readonly string[]): PrinterColumn {
  return integer(name, (object) => numberAt(object, ...path) ?? 0);
}

export function integer(name: string, value: (object: JsonObject) => Cell): PrinterColumn {
  return { ...text(name, value), type: 'integer' };
}

export function yesNo(name: string, value: (object: JsonObject) => boolean): PrinterColumn {
  return { ...text(name, value), type: 'boolean' };
}

/** Shows the column only with `-o wide`. */
export function wide(column: PrinterColumn): PrinterColumn {
  return { ...column, priority: 1 };
}

/** Columns of the containers in a pod template, shown only with `-o wide`. */
export function templateColumns(...path: readonly string[]): readonly PrinterColumn[] {
  const containers = (object: JsonObject): readonly JsonObject[] =>
    objectsAt(object, ...path, 'spec', 'containers');
  return [
    wide(text('Containers', (object) => join(containers(object), 'name'))),
    wide(text('Images', (object) => join(containers(object), 'image'))),
  ];
}

/** Ready and desired replicas, such as `2/3`. */
export const READY_REPLICAS: PrinterColumn = text('Ready', (object) => {
  const ready = numberAt(object, 'status', 'readyReplicas') ?? 0;
  return `${ready}/${numberAt(object, 'spec', 'replicas') ?? 0}`;
});

export const SELECTOR: PrinterColumn = wide(
  text('Selector', (object) => formatSelector(object, 'spec', 'selector')),
);

function join(objects: readonly JsonObject[], field: string): string {
  return objects.map((object) => textAt(object, field)).join(',');
}
