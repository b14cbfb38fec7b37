/** Whether a definition whose names were looked at is served. Pure. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { isTrue, objectsAt, textAt } from '../../../../../src/kube/fields.ts';
import { type Condition, isTrueCondition, withCondition } from './conditions.ts';

/** Once established it stays so: its objects are there. */
export function establish(definition: JsonObject, now: string): JsonObject {
  return withCondition(definition, established(definition), now);
}

function established(definition: JsonObject): Condition {
  const type = 'Established';
  if (needsConversion(definition)) {
    return { type, status: 'False', reason: 'NotAccepted', message: NO_CONVERSION };
  }
  if (!isTrueCondition(definition, type) && !isTrueCondition(definition, 'NamesAccepted')) {
    return { type, status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
  }
  return {
    type,
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  };
}

const NO_CONVERSION =
  'the local cluster calls no conversion webhooks: it serves several versions with the conversion ' +
  'strategy None only; keep one version, or use None';

/** One version alone is never converted. */
function needsConversion(definition: JsonObject): boolean {
  const versions = objectsAt(definition, 'spec', 'versions').filter(
    (version) => isTrue(version, 'served') || isTrue(version, 'storage'),
  );
  return versions.length > 1 && textAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook';
}
