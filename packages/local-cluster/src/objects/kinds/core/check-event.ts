/** Checks an event in its stored form, that of the core group. Events of events.k8s.io have further checks. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { type FieldError, invalid, invalidEach, required } from '../../field-error.ts';
import { utf8Bytes } from '../../metadata.ts';
import { qualifiedName } from '../../metadata-names.ts';
import { immutable, sameMeaning } from '../field-checks.ts';
import { numberAt, objectAt, textAt } from '../../../../../../src/kube/fields.ts';

const WORD_BYTES_MAX = 128;
const MESSAGE_BYTES_MAX = 1_024;
const SERIES_MIN = 2;

/** Checks an Event. `reporter`: name of the field reportingComponent in the version of the request. */
export function checkEvent(event: JsonObject, reporter: string): readonly FieldError[] {
  if (textAt(event, 'eventTime') === '') return placeFaults(event);
  const component = textAt(event, 'reportingComponent');
  return [
    ...homelessFaults(event, ['default', 'kube-system']),
    ...(component === '' ? [required(reporter)] : []),
    ...invalidEach(reporter, component, qualifiedName(component)),
    ...['reportingInstance', 'action', 'reason'].flatMap((name) => wordFaults(event, name)),
    ...lengthFaults('message', textAt(event, 'message'), MESSAGE_BYTES_MAX),
  ];
}

/** An event must be in the namespace of the object that it is about. */
function placeFaults(event: JsonObject): readonly FieldError[] {
  const about = textAt(event, 'involvedObject', 'namespace');
  if (about === '') return homelessFaults(event, ['default']);
  return about === textAt(event, 'metadata', 'namespace') ? [] : [elsewhere(about)];
}

/** An event about a cluster-scoped object must be in one of the namespaces `homes`. */
function homelessFaults(event: JsonObject, homes: readonly string[]): readonly FieldError[] {
  const about = textAt(event, 'involvedObject', 'namespace');
  const own = textAt(event, 'metadata', 'namespace');
  return about !== '' || homes.includes(own) ? [] : [elsewhere(about)];
}

function elsewhere(about: string): FieldError {
  return invalid('involvedObject.namespace', about, 'does not match event.namespace');
}

function wordFaults(event: JsonObject, name: string): readonly FieldError[] {
  const word = textAt(event, name);
  return word === '' ? [required(name)] : lengthFaults(name, word, WORD_BYTES_MAX);
}

const NEVER_CHANGING = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance',
];

/** Through events.k8s.io only the series of an event may change. */
export function checkEventUpdate(event: JsonObject, old: JsonObject): readonly FieldError[] {
  const faults = NEVER_CHANGING.flatMap((name) => {
    const field = name === 'reportingComponent' ? 'reportingController' : name;
    return immutable(field, event[name], old[name]);
  });
  const series = objectAt(event, 'series');
  return sameMeaning(series, objectAt(old, 'series'))
    ? faults
    : [...seriesFaults(series), ...faults];
}

/** As on a real server, the error does not repeat the text, and says characters although bytes count. */
function lengthFaults(field: string, text: string, bytesMax: number): readonly FieldError[] {
  if (utf8Bytes(text) <= bytesMax) return [];
  return [invalid(field, '', `can have at most ${bytesMax} characters`)];
}

/** Checks a new event of events.k8s.io: required fields, and fields of the old form that must be unset. */
export function checkNewerEvent(event: JsonObject): readonly FieldError[] {
  const type = textAt(event, 'type');
  const old = [
    ...['firstTimestamp', 'lastTimestamp'].filter((name) => textAt(event, name) !== ''),
    ...((numberAt(event, 'count') ?? 0) === 0 ? [] : ['count']),
    ...(['component', 'host'].every((part) => textAt(event, 'source', part) === '')
      ? []
      : ['source']),
  ];
  return [
    ...seriesFaults(objectAt(event, 'series')),
    ...(textAt(event, 'eventTime') === '' ? [required('eventTime')] : []),
    ...(['Normal', 'Warning'].includes(type)
      ? []
      : [invalid('type', '', `has invalid value: ${type}`)]),
    ...old.map((name) => invalid(name, '', 'needs to be unset')),
  ];
}

function seriesFaults(series: JsonObject | undefined): readonly FieldError[] {
  if (series === undefined) return [];
  return [
    ...((numberAt(series, 'count') ?? 0) < SERIES_MIN
      ? [invalid('series.count', '', `should be at least ${SERIES_MIN}`)]
      : []),
    ...(textAt(series, 'lastObservedTime') === '' ? [required('series.lastObservedTime')] : []),
  ];
}
