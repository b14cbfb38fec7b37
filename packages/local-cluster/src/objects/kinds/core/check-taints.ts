/** What is wrong with the taints of a node. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { duplicate, invalid, invalidEach } from '../../field-errors.ts';
import { labelText, qualifiedName } from '../../metadata-names.ts';
import { oneOf } from '../checks.ts';
import { textAt } from '../../../../../../src/kube/fields.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** A real server looks for them in the metadata. */
const FIELD = 'metadata.taints';

export function checkTaints(taints: readonly JsonObject[]): readonly FieldError[] {
  return taints.flatMap((taint, index) => {
    const field = `${FIELD}[${index}]`;
    const key = textAt(taint, 'key');
    const value = textAt(taint, 'value');
    const faults = labelText(value);
    return [
      ...invalidEach(`${field}.key`, key, qualifiedName(key)),
      ...(faults.length === 0 ? [] : [invalid(`${field}.value`, value, faults.join(';'))]),
      ...oneOf(`${field}.effect`, textAt(taint, 'effect'), EFFECTS),
      ...(taints.slice(0, index).some((earlier) => isSame(earlier, taint))
        ? [{ ...duplicate(field, taint), detail: 'taints must be unique by key and effect pair' }]
        : []),
    ];
  });
}

function isSame(one: JsonObject, other: JsonObject): boolean {
  return ['key', 'effect'].every((name) => textAt(one, name) === textAt(other, name));
}
