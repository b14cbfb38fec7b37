/** A Scale: a small object of its own, read from the big one that is scaled, and written into it. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { AGE, integerField, NAME } from '../../objects/kinds/columns.ts';
import { at, fieldsAt, isObject, numberAt } from '../../../../../src/kube/fields.ts';
import type {
  PrinterColumn,
  ResourceDefinition,
  ScalePaths,
} from '../../objects/resource-definition.ts';
import { formatSelector } from '../../objects/selector-object.ts';
import { builtinType } from '../../objects/table/builtin-type.ts';
import type { RequestScope } from '../context.ts';
import { withMeta } from '../object-meta.ts';

const COLUMNS: readonly PrinterColumn[] = [
  NAME,
  integerField('Desired', 'spec', 'replicas'),
  integerField('Available', 'status', 'replicas'),
  AGE,
];

export function scaleOf(object: JsonObject, paths: ScalePaths): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = fieldsAt(object, 'metadata');
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp };
  const selector = selectorOf(object, paths.labelSelector);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: JSON.parse(JSON.stringify(metadata)) as JsonObject,
    spec: specOf(numberAt(object, ...steps(paths.specReplicas))),
    status: {
      replicas: numberAt(object, ...steps(paths.statusReplicas)) ?? 0,
      ...(selector === '' ? {} : { selector }),
    },
  };
}

function specOf(replicas: number | undefined): JsonObject {
  return replicas === undefined || replicas === 0 ? {} : { replicas };
}

/** A built-in kind has a selector object there, a custom one the text itself. */
function selectorOf(object: JsonObject, path: string | null): string {
  if (path === null) return '';
  const found = at(object, ...steps(path));
  if (isObject(found)) return formatSelector(object, ...steps(path));
  return typeof found === 'string' ? found : '';
}

/** The number of replicas is all that a scale has to say; also which object, and which revision, it is of. */
export function withReplicas(old: JsonObject, scale: JsonObject, paths: ScalePaths): JsonObject {
  const { uid, resourceVersion } = fieldsAt(scale, 'metadata');
  const replicas = numberAt(scale, 'spec', 'replicas') ?? 0;
  return withMeta(setAt(old, steps(paths.specReplicas), replicas), { uid, resourceVersion });
}

function setAt(object: JsonObject, [first = '', ...rest]: string[], value: number): JsonObject {
  if (rest.length === 0) return { ...object, [first]: value };
  return { ...object, [first]: setAt(fieldsAt(object, first), rest, value) };
}

/** Of a path ".spec.replicas". */
export function steps(path: string): string[] {
  return path.split('.').slice(1);
}

export function scaleDefinition({ definition }: RequestScope): ResourceDefinition {
  const type = builtinType('autoscaling', 'v1', 'Scale');
  if (type === undefined) throw new Error('the table of types has no Scale');
  const own = { group: 'autoscaling', version: 'v1', kind: 'Scale', columns: COLUMNS, type };
  return { ...definition, ...own };
}
