/** The kind Event: one store, served in the core form and in the form of events.k8s.io. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { pathSegment } from '../../metadata-names.ts';
import type { PrinterColumn, StoredForm } from '../../resource-definition.ts';
import { humanAge } from '../../table-format.ts';
import { NAME, text, textField, wide } from '../columns.ts';
import { fillObject, numberAt, textAt } from '../../../../../../src/kube/fields.ts';
import { inNamespace, type KindSpec } from '../kind-spec.ts';
import { checkEvent, checkEventUpdate, checkNewerEvent } from './check-event.ts';

/** Converts events of events.k8s.io to the stored core form, and back. */

/** Field names of events.k8s.io and of the core form; all other fields have the same name in both. */
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

const eventConversion: StoredForm = {
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

/** Field names that differ between the two forms. */
interface Names {
  readonly object: string;
  readonly message: string;
  readonly source: string;
  readonly first: string;
  readonly last: string;
  readonly count: string;
}

const CORE: Names = {
  object: 'involvedObject',
  message: 'message',
  source: 'source',
  first: 'firstTimestamp',
  last: 'lastTimestamp',
  count: 'count',
};

const NEWER: Names = {
  object: 'regarding',
  message: 'note',
  source: 'deprecatedSource',
  first: 'deprecatedFirstTimestamp',
  last: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
};

export const coreEvent: KindSpec = {
  ...inNamespace('v1', 'Event', 'ev'),
  columns: columns(CORE),
  nameRule: pathSegment,
  plainFinalizers: true,
  fill(draft) {
    fillObject(draft, 'source');
  },
  check: (object) => checkEvent(object, 'reportingComponent'),
  fieldSelectors: {
    ...selectors(CORE),
    source: (object) => textAt(object, 'source', 'component') || reporter(object),
  },
};

export const event: KindSpec = {
  ...inNamespace('events.k8s.io/v1', 'Event', 'ev'),
  storageName: 'events',
  columns: columns(NEWER),
  conversion: eventConversion,
  errorGroup: '',
  check(object, old) {
    const stored = eventConversion.toStored(object);
    return [
      ...checkEvent(stored, 'reportingController'),
      ...(old === undefined
        ? checkNewerEvent(stored)
        : checkEventUpdate(stored, eventConversion.toStored(old))),
    ];
  },
  fieldSelectors: selectors(NEWER),
};

function columns(names: Names): readonly PrinterColumn[] {
  return [
    text('Last Seen', (object, now) => humanAge(lastSeen(object, names), now)),
    textField('Type', 'type'),
    textField('Reason', 'reason'),
    text('Object', (object) => shownObject(object, names)),
    wide(textField('Subobject', names.object, 'fieldPath')),
    wide(text('Source', (object) => source(object, names))),
    text('Message', (object) => textAt(object, names.message).trim()),
    wide(text('First Seen', (object, now) => humanAge(firstSeen(object, names), now))),
    wide(text('Count', (object) => timesSeen(object, names))),
    wide(NAME),
  ];
}

function timesSeen(object: JsonObject, { count }: Names): number {
  return numberAt(object, 'series', 'count') ?? Math.max(1, numberAt(object, count) ?? 1);
}

function shownObject(object: JsonObject, names: Names): string {
  const kind = textAt(object, names.object, 'kind').toLowerCase();
  return `${kind}/${textAt(object, names.object, 'name')}`;
}

function firstSeen(object: JsonObject, { first }: Names): string {
  return textAt(object, first) || textAt(object, 'eventTime');
}

function lastSeen(object: JsonObject, names: Names): string {
  return (
    textAt(object, 'series', 'lastObservedTime') ||
    textAt(object, names.last) ||
    firstSeen(object, names)
  );
}

function source(object: JsonObject, { source: field }: Names): string {
  const given = ['component', 'host'].map((part) => textAt(object, field, part));
  const parts = given.filter((part) => part !== '');
  if (parts.length > 0) return parts.join(', ');
  const instance = textAt(object, 'reportingInstance');
  return instance === '' ? reporter(object) : `${reporter(object)}, ${instance}`;
}

function reporter(object: JsonObject): string {
  return textAt(object, 'reportingComponent') || textAt(object, 'reportingController');
}

function selectors(names: Names): Record<string, (object: JsonObject) => string> {
  const ofObject = [
    'kind',
    'namespace',
    'name',
    'uid',
    'apiVersion',
    'resourceVersion',
    'fieldPath',
  ];
  return {
    ...Object.fromEntries(
      ofObject.map((field) => [
        `${names.object}.${field}`,
        (object: JsonObject) => textAt(object, names.object, field),
      ]),
    ),
    reason: (object) => textAt(object, 'reason'),
    type: (object) => textAt(object, 'type'),
    reportingComponent: reporter,
  };
}
