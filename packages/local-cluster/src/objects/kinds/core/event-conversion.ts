/** Events of events.k8s.io in the core form, in which they are stored, and back. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { StoredForm } from '../../resource-definition.ts';

/** Newer name to the stored one; all other fields have the same name in both. */
const RENAMED: Readonly<Record<string, string>> = {
  regarding: 'involvedObject',
  note: 'message',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
  reportingController: 'reportingComponent',
};
const BACK = Object.fromEntries(Object.entries(RENAMED).map(([newer, core]) => [core, newer]));

export const eventConversion: StoredForm = {
  toStored: (event) => ({ ...renamed(event, RENAMED), apiVersion: 'v1' }),
  fromStored: (stored) => ({ ...renamed(stored, BACK), apiVersion: 'events.k8s.io/v1' }),
};

function renamed(object: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      Object.hasOwn(names, name) ? (names[name] ?? name) : name,
      value,
    ]),
  );
}
