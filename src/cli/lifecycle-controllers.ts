/**
 * The controllers of the lifecycles, and their webhooks, metrics, traces and recorded events. They are imported statically: a module
 * that is loaded on demand makes the program of the local cluster larger.
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

/** Besides the metrics of attempts, which all lifecycles have. */
export const metricParts: Readonly<Record<string, MetricsOf>> = {
  snapshot: snapshot.metricsOf,
  rollout: rollout.metricsOf,
};

/** In place of the spans of attempts that other lifecycles have. */
export const traceParts: Readonly<Record<string, TracesOf>> = {
  snapshot: snapshot.tracesOf,
};

/** For the notifications of a new leader. */
export const recordedParts: Readonly<Record<string, RecordedEventsOf>> = {
  snapshot: snapshot.recordedEventsOf,
  rollout: rollout.recordedEventsOf,
};
