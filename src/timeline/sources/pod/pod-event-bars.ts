/** The span of a failed pod hook, from its Event. Pure. */
import type { Event } from 'kubernetes-types/core/v1.js';

import type { Permission } from '../../../controller/ask-permissions.ts';
import { events } from '../../../kube/resources.ts';
import type { Bar } from '../../bar.ts';
import type { ClusterSource } from '../follow-cluster.ts';
import { msOf } from '../run-bars.ts';

const POINTS: Readonly<Record<string, string>> = {
  FailedPostStartHook: 'postStart',
  FailedPreStopHook: 'preStop',
};

/**
 * Watches Events about hooks. Each reason has its own watch: a cluster has many Events, but hardly any with these
 * reasons.
 */
export const podEventSource: ClusterSource = (follow) =>
  Object.keys(POINTS).map((reason) =>
    follow({ resource: events, barsOf: podEventBars, fieldSelector: `reason=${reason}` }),
  );

export const podEventPermissions: readonly Permission[] = [
  { group: '', resource: 'events', verbs: ['list', 'watch'] },
];

/**
 * The span of a failed hook. A cluster emits no Event for a hook that succeeded, and an Event does not have the
 * duration of the hook.
 */
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
      evidence: { 'reported by': 'an Event of the cluster', times: `${count}` },
      next: `kubectl describe pod -n ${namespace} ${name}`,
    },
  ];
}

/** null: the Event has no valid time. */
function timesOf(event: Event): Pick<Bar, 'startMs' | 'endMs'> | null {
  const { firstTimestamp, lastTimestamp, eventTime, metadata } = event;
  const lastMs = msOf(lastTimestamp) ?? msOf(eventTime) ?? msOf(metadata.creationTimestamp);
  return lastMs === null ? null : { startMs: msOf(firstTimestamp) ?? lastMs, endMs: lastMs };
}

/** The name of the container of an Event: "web" from "spec.containers{web}". */
function containerOf({ involvedObject: { fieldPath = '' } }: Event): string[] {
  const container = /\{(.+)\}/.exec(fieldPath)?.[1];
  return container === undefined ? [] : [container];
}
