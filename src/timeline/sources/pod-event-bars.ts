/**
 * What a cluster tells of the hooks of its pods: that one has failed, as an Event. Of those that ran well it tells
 * nothing, and of none how long it took. Pure.
 */
import type { Event } from 'kubernetes-types/core/v1.js';

import type { Bar } from '../bar.ts';
import { msOf } from './outcome-of.ts';

const POINTS: Readonly<Record<string, string>> = {
  FailedPostStartHook: 'postStart',
  FailedPreStopHook: 'preStop',
};

/** Of the Events that tell something. */
export const POD_EVENT_REASONS: readonly string[] = Object.keys(POINTS);

export function podEventBars(event: Event): Bar[] {
  const { metadata, involvedObject, reason = '', message, count = 1 } = event;
  const point = POINTS[reason];
  const times = timesOf(event);
  if (point === undefined || involvedObject.kind !== 'Pod' || times === null) return [];
  const { namespace = '', name = '' } = involvedObject;
  return [
    {
      id: `pod/event/${metadata.uid}`,
      lifecycle: 'pod',
      lane: [namespace, name, ...containerOf(event)].join('/'),
      kind: 'hook',
      run: name,
      point,
      name: point,
      attempt: null,
      ...times,
      outcome: 'Failed',
      ...(message === undefined ? {} : { reason: message }),
      where: `Pod ${namespace}/${name}`,
      evidence: { 'told by': 'an Event of the cluster', times: `${count}` },
      next: `kubectl describe pod -n ${namespace} ${name}`,
    },
  ];
}

/** null: the Event tells none that could be read. */
function timesOf(event: Event): Pick<Bar, 'startMs' | 'endMs'> | null {
  const { firstTimestamp, lastTimestamp, eventTime, metadata } = event;
  const lastMs = msOf(lastTimestamp) ?? msOf(eventTime) ?? msOf(metadata.creationTimestamp);
  return lastMs === null ? null : { startMs: msOf(firstTimestamp) ?? lastMs, endMs: lastMs };
}

/** "spec.containers{web}": web. */
function containerOf({ involvedObject: { fieldPath = '' } }: Event): string[] {
  const container = /\{(.+)\}/.exec(fieldPath)?.[1];
  return container === undefined ? [] : [container];
}
