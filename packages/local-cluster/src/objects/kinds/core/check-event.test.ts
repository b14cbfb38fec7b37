import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../../field-error.ts';
import { checkEvent, checkNewerEvent } from './check-event.ts';

const eventTime = '2026-01-01T00:00:00.000000Z';
const named = {
  eventTime,
  reportingComponent: 'example.com/a',
  reportingInstance: 'a-1',
  action: 'Try',
  reason: 'Tried',
};

const faults = (own: string, about: string, more: JsonObject = {}): string[] =>
  checkEvent(
    { metadata: { namespace: own }, involvedObject: { namespace: about }, ...more },
    'reportingComponent',
  ).map(fieldErrorMessage);

const elsewhere = (about: string): string[] => [
  `involvedObject.namespace: Invalid value: "${about}": does not match event.namespace`,
];

describe('an event', () => {
  it('is stored in the namespace of its object', () => {
    expect(faults('a', 'a')).toEqual([]);
    expect(faults('a', 'b')).toEqual(elsewhere('b'));
    expect(faults('default', '')).toEqual([]);
    expect(faults('kube-system', '')).toEqual(elsewhere(''));
  });

  it('with an eventTime may be in any namespace, and requires its reporter, action and reason', () => {
    expect(faults('a', 'b', named)).toEqual([]);
    expect(faults('kube-system', '', named)).toEqual([]);
    expect(faults('a', '', named)).toEqual(elsewhere(''));
    expect(faults('a', 'a', { eventTime })).toEqual([
      'reportingComponent: Required value',
      'reportingComponent: Invalid value: "": name part must be non-empty',
      expect.stringMatching(/^reportingComponent: Invalid value: "": name part must consist of/),
      'reportingInstance: Required value',
      'action: Required value',
      'reason: Required value',
    ]);
  });

  it('with an eventTime has a limited reason and message', () => {
    const long = { ...named, reason: 'r'.repeat(129), message: 'm'.repeat(1_025) };
    expect(faults('a', 'a', long)).toEqual([
      'reason: Invalid value: "": can have at most 128 characters',
      'message: Invalid value: "": can have at most 1024 characters',
    ]);
  });

  it('with an eventTime has its texts limited in bytes, as on a real server', () => {
    expect(faults('a', 'a', { ...named, reason: 'ü'.repeat(64) })).toEqual([]);
    expect(faults('a', 'a', { ...named, reason: 'ü'.repeat(65) })).toEqual([
      'reason: Invalid value: "": can have at most 128 characters',
    ]);
  });
});

describe('a new event of events.k8s.io', () => {
  const faultsOf = (event: JsonObject): string[] => checkNewerEvent(event).map(fieldErrorMessage);

  it('has an eventTime and a known type', () => {
    expect(faultsOf({ eventTime, type: 'Warning' })).toEqual([]);
    expect(faultsOf({ type: 'Strange' })).toEqual([
      'eventTime: Required value',
      'type: Invalid value: "": has invalid value: Strange',
    ]);
  });

  it('has no fields of the core group', () => {
    const firstTimestamp = '2026-01-01T00:00:00Z';
    const event = { eventTime, type: 'Normal', count: 1, firstTimestamp, source: { host: 'h' } };
    expect(faultsOf(event)).toEqual([
      'firstTimestamp: Invalid value: "": needs to be unset',
      'count: Invalid value: "": needs to be unset',
      'source: Invalid value: "": needs to be unset',
    ]);
    expect(faultsOf({ ...event, count: 0, firstTimestamp: null, source: {} })).toEqual([]);
  });

  it('has a series with a count of at least two', () => {
    const event = { eventTime, type: 'Normal' };
    expect(faultsOf({ ...event, series: { count: 2, lastObservedTime: eventTime } })).toEqual([]);
    expect(faultsOf({ ...event, series: { count: 1 } })).toEqual([
      'series.count: Invalid value: "": should be at least 2',
      'series.lastObservedTime: Required value',
    ]);
  });
});
