/**
 * The kind Event. Both groups share one store: objects are stored in the core form, and also served in the form of
 * events.k8s.io.
 */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { pathSegment } from '../../metadata-names.ts';
import type { PrinterColumn, StoredForm } from '../../resource-definition.ts';
import { humanAge } from '../../table-format.ts';
import { NAME, text, textField, wide } from '../columns.ts';
import { fillObject, numberAt, textAt } from '../../../../../../src/kube/fields.ts';
import { inNamespace, type KindSpec } from '../kind-spec.ts';
import { checkEvent, checkEventUpdate, checkNewerEvent } from './check-event.ts';

/** Names in events.k8s.io of the fields that have another name in the core form. */
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

/** Table columns, which read an event in the core form. */
const COLUMNS: readonly PrinterColumn[] = [
  text('Last Seen', (object, now) => humanAge(lastSeen(object), now)),
  textField('Type', 'type'),
  textField('Reason', 'reason'),
  text('Object', shownObject),
  wide(textField('Subobject', 'involvedObject', 'fieldPath')),
  wide(text('Source', source)),
  text('Message', (object) => textAt(object, 'message').trim()),
  wide(text('First Seen', (object, now) => humanAge(firstSeen(object), now))),
  wide(text('Count', timesSeen)),
  wide(NAME),
];

export const coreEvent: KindSpec = {
  ...inNamespace('v1', 'Event', 'ev'),
  columns: COLUMNS,
  nameRule: pathSegment,
  plainFinalizers: true,
  fill(draft) {
    fillObject(draft, 'source');
  },
  check: (object) => checkEvent(object, 'reportingComponent'),
  fieldSelectors: {
    ...selectors('involvedObject'),
    source: (object) => textAt(object, 'source', 'component') || reporter(object),
  },
};

export const event: KindSpec = {
  ...inNamespace('events.k8s.io/v1', 'Event', 'ev'),
  storageName: 'events',
  columns: COLUMNS.map((column) => ({
    ...column,
    value: (object, now) => column.value(eventConversion.toStored(object), now),
  })),
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
  fieldSelectors: selectors('regarding'),
};

function timesSeen(object: JsonObject): number {
  return numberAt(object, 'series', 'count') ?? Math.max(1, numberAt(object, 'count') ?? 1);
}

function shownObject(object: JsonObject): string {
  const kind = textAt(object, 'involvedObject', 'kind').toLowerCase();
  return `${kind}/${textAt(object, 'involvedObject', 'name')}`;
}

function firstSeen(object: JsonObject): string {
  return textAt(object, 'firstTimestamp') || textAt(object, 'eventTime');
}

function lastSeen(object: JsonObject): string {
  return (
    textAt(object, 'series', 'lastObservedTime') ||
    textAt(object, 'lastTimestamp') ||
    firstSeen(object)
  );
}

function source(object: JsonObject): string {
  const given = ['component', 'host'].map((part) => textAt(object, 'source', part));
  const parts = given.filter((part) => part !== '');
  if (parts.length > 0) return parts.join(', ');
  const instance = textAt(object, 'reportingInstance');
  return instance === '' ? reporter(object) : `${reporter(object)}, ${instance}`;
}

function reporter(object: JsonObject): string {
  return textAt(object, 'reportingComponent') || textAt(object, 'reportingController');
}

/** Field selectors of an event. `about`: name of the field with the object that the event is about. */
function selectors(about: string): Record<string, (object: JsonObject) => string> {
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
        `${about}.${field}`,
        (object: JsonObject) => textAt(object, about, field),
      ]),
    ),
    reason: (object) => textAt(object, 'reason'),
    type: (object) => textAt(object, 'type'),
    reportingComponent: reporter,
  };
}
