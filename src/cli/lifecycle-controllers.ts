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
import { rolloutControllersOf } from './rollout/controllers-of.ts';
import * as rolloutObservers from './rollout/observers-of.ts';
import { rolloutWebhook } from './rollout/webhook-part.ts';
import { snapshotControllersOf } from './snapshot/controllers-of.ts';
import * as snapshotObservers from './snapshot/observers-of.ts';
import { snapshotWebhook } from './snapshot/webhook-part.ts';

export const controllerParts: Readonly<Record<string, ControllersOf>> = {
  snapshot: snapshotControllersOf,
  rollout: rolloutControllersOf,
};

export const webhookParts: Readonly<Record<string, WebhookPart>> = {
  snapshot: snapshotWebhook,
  rollout: rolloutWebhook,
};

/** Besides the metrics of attempts, which all lifecycles have. */
export const metricParts: Readonly<Record<string, MetricsOf>> = {
  snapshot: snapshotObservers.metricsOf,
  rollout: rolloutObservers.metricsOf,
};

/** In place of the spans of attempts that other lifecycles have. */
export const traceParts: Readonly<Record<string, TracesOf>> = {
  snapshot: snapshotObservers.tracesOf,
};

/** For the notifications of a new leader. */
export const recordedParts: Readonly<Record<string, RecordedEventsOf>> = {
  snapshot: snapshotObservers.recordedEventsOf,
  rollout: rolloutObservers.recordedEventsOf,
};
