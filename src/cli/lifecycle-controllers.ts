/**
 * The controllers of the lifecycles, and their webhooks, metrics, traces and recorded events. All are imported
 * statically: a module that is loaded on demand would make the program of the local cluster larger.
 */
import type {
  ControllersOf,
  MetricsOf,
  RecordedEventsOf,
  TracesOf,
  WebhookPart,
} from './lifecycle-parts.ts';
import * as rollout from './rollout/controller-parts.ts';
import * as snapshot from './snapshot/controller-parts.ts';

export const controllerParts: Readonly<Record<string, ControllersOf>> = {
  snapshot: snapshot.snapshotControllersOf,
  rollout: rollout.rolloutControllersOf,
};

export const webhookParts: Readonly<Record<string, WebhookPart>> = {
  snapshot: snapshot.snapshotWebhook,
  rollout: rollout.rolloutWebhook,
};

/** The metrics of single lifecycles. All lifecycles also have the metrics of attempts. */
export const metricParts: Readonly<Record<string, MetricsOf>> = {
  snapshot: snapshot.metricsOf,
  rollout: rollout.metricsOf,
};

/** How lifecycles build their traces. A lifecycle that is not listed has the spans of attempts. */
export const traceParts: Readonly<Record<string, TracesOf>> = {
  snapshot: snapshot.tracesOf,
};

/** The events that a new leader reads from objects, for its notifications. */
export const recordedParts: Readonly<Record<string, RecordedEventsOf>> = {
  snapshot: snapshot.recordedEventsOf,
  rollout: rollout.recordedEventsOf,
};
