/** Access modes: checked, and as one short text ("RWO,ROX"). */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { forbidden, notSupported, required } from '../../field-errors.ts';
import { textsAt } from '../../../../../../src/kube/fields.ts';

const SHORT: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const ALONE = 'ReadWriteOncePod';

export function shortAccessModes(object: JsonObject, ...path: readonly string[]): string {
  const modes = textsAt(object, ...path);
  return Object.entries(SHORT)
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

export function checkAccessModes(spec: JsonObject, whenNone = ''): readonly FieldError[] {
  const field = 'spec.accessModes';
  const modes = textsAt(spec, 'accessModes');
  if (modes.length === 0) return [required(field, whenNone)];
  return [
    ...modes
      .filter((mode) => !Object.hasOwn(SHORT, mode))
      .map((mode) => notSupported(field, mode, Object.keys(SHORT).toSorted())),
    ...(modes.includes(ALONE) && modes.length > 1
      ? [forbidden(field, `may not use ${ALONE} with other access modes`)]
      : []),
  ];
}
