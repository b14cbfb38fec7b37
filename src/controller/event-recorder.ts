/**
 * Records Kubernetes Events, which `kubectl describe` shows. Nothing depends on them.
 *
 *  CTRL-N1 `record` returns at once and never throws; no failed write fails a reconcile.
 *  CTRL-N2 At most MAX_PENDING Events wait to be written; a repeated Event increases the count of the waiting one.
 *  CTRL-N3 An Event that cannot be written after a few attempts is dropped and reported to `observe`.
 */
import type { Event, ObjectReference } from 'kubernetes-types/core/v1.js';

import { ApiError, isReason } from '../kube/api-error.ts';
import { type Backoff, backoffMs, sleep } from '../platform/sleep.ts';
import type { KubeClient } from '../kube/client.ts';
import { apiVersionOf, type KubeObject, type Resource } from '../kube/object.ts';
import { events } from '../kube/resources.ts';
import { textStart } from '../model/cut-text.ts';
import { asError, errorText } from '../platform/error-text.ts';
import type { Platform } from '../platform/platform.ts';
import { type Observe, quietly } from './controller-event.ts';
import { EventCorrelator, type Note, type Series } from './event-correlator.ts';
import { timeText } from './kube-time.ts';
import { isUnknown } from './expectations.ts';

export const MAX_PENDING = 1_000;
export const MAX_MESSAGE_CHARACTERS = 1_024;
const MAX_TRIES = 4;
const RETRY: Backoff = { firstMs: 500, maxMs: 5_000 };
/** Milliseconds that a stop waits for pending Events. */
const DRAIN_MS = 3_000;
/** Maximum length of the name of an object. */
const MAX_NAME_CHARACTERS = 253;

export interface EventSource {
  /** Example: "lifehook-rollout". */
  readonly component: string;
  /** The node of the reporter; absent if the node does not matter. */
  readonly host?: string;
}

export interface EventRecorderOptions extends EventSource {
  readonly client: KubeClient;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** A number from 0 to 1. */
  readonly random: () => number;
  readonly observe?: Observe;
}

/** The reference of an Event to an object of this resource. */
export function aboutObject(resource: Resource, { metadata = {} }: KubeObject): ObjectReference {
  const { namespace, name = '', uid, resourceVersion } = metadata;
  const reference: ObjectReference = {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    name,
  };
  if (namespace !== undefined) reference.namespace = namespace;
  if (uid !== undefined) reference.uid = uid;
  if (resourceVersion !== undefined) reference.resourceVersion = resourceVersion;
  return reference;
}

export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #observe: Observe;
  readonly #correlator: EventCorrelator;
  readonly #pending = new Map<string, Series>();
  readonly #stopped = new AbortController();
  #writing: Promise<void> | null = null;
  readonly #others: EventRecorder[] = [];

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#observe = quietly(options.observe);
    const { clock } = options.platform;
    this.#correlator = new EventCorrelator({
      nowMs: () => clock.nowMs(),
      monotonicMs: () => clock.monotonicMs(),
    });
  }

  record(note: Note): void {
    if (this.#stopped.signal.aborted) return;
    const { series, write } = this.#correlator.count({ ...note, message: cut(note.message) });
    if (!write) return;
    if (this.#pending.size >= MAX_PENDING && !this.#pending.has(series.id)) {
      this.#drop(`${MAX_PENDING} events wait to be written`);
      return;
    }
    this.#pending.set(series.id, series);
    this.#writing ??= this.#writeAll();
  }

  /** A recorder for another part of this program, with its own counts and limits. It stops when this recorder stops. */
  as(source: EventSource): EventRecorder {
    const { client, platform, random, observe } = this.#options;
    const shared = { client, platform, random, ...(observe === undefined ? {} : { observe }) };
    const other = new EventRecorder({ ...shared, ...source });
    this.#others.push(other);
    return other;
  }

  /** Writes pending Events for up to DRAIN_MS, then drops the rest. */
  async stop(): Promise<void> {
    await Promise.all([this.#drain(), ...this.#others.map((other) => other.stop())]);
  }

  async #drain(): Promise<void> {
    const { timers } = this.#options.platform;
    const callOff = timers.after(DRAIN_MS, () => {
      this.#stopped.abort();
    });
    await this.#writing;
    callOff();
    this.#stopped.abort();
  }

  async #writeAll(): Promise<void> {
    // Waits one turn, so that `record` itself writes nothing: its caller is in the middle of a reconcile.
    await Promise.resolve();
    for (const [id, series] of this.#pending) {
      this.#pending.delete(id);
      await this.#write(series);
    }
    this.#writing = null;
  }

  async #write(series: Series): Promise<void> {
    const { platform, random } = this.#options;
    for (let tries = 1; !this.#stopped.signal.aborted; tries += 1) {
      const failure = await this.#tryToSend(series);
      if (failure === null) return;
      if (isFinal(failure) || tries === MAX_TRIES) {
        this.#drop(errorText(failure));
        return;
      }
      await sleep(platform.timers, backoffMs(tries, RETRY, random()), this.#stopped.signal);
    }
    this.#drop('the recorder was stopped');
  }

  async #tryToSend(series: Series): Promise<Error | null> {
    try {
      await this.#send(series);
      return null;
    } catch (error) {
      return asError(error);
    }
  }

  async #send(series: Series): Promise<void> {
    if (series.name === null) return this.#create(series);
    const { client } = this.#options;
    const { namespace = 'default' } = series.note.about;
    const { count, message, lastMs } = series;
    const body = { count, message, lastTimestamp: timeText(lastMs) };
    try {
      const key = { namespace, name: series.name };
      await client.patch(events, key, { type: 'merge', body, ...this.#until() });
    } catch (error) {
      // Not an error: the server deletes Events after an hour.
      if (!isReason(error, 'NotFound')) throw error;
      await this.#create(series);
    }
  }

  async #create(series: Series): Promise<void> {
    // The name is kept if no answer arrives, so that the next attempt can check whether the Event exists.
    series.name = this.#makeName(series);
    try {
      await this.#options.client.create(events, this.#eventOf(series, series.name), this.#until());
    } catch (error) {
      if (!isUnknown(error)) series.name = null;
      throw error;
    }
  }

  #until(): { readonly signal: AbortSignal } {
    return { signal: this.#stopped.signal };
  }

  #eventOf({ note, message, count, firstMs, lastMs }: Series, name: string): Event {
    const { component, host } = this.#options;
    return {
      metadata: { name, namespace: note.about.namespace ?? 'default' },
      involvedObject: note.about,
      type: note.type,
      reason: note.reason,
      message,
      count,
      firstTimestamp: timeText(firstMs),
      lastTimestamp: timeText(lastMs),
      source: { component, ...(host === undefined ? {} : { host }) },
      reportingComponent: component,
      ...(host === undefined ? {} : { reportingInstance: host }),
    };
  }

  #makeName({ note, firstMs }: Series): string {
    const dice = Math.floor(this.#options.random() * 2 ** 32);
    const end = `.${firstMs.toString(16)}${dice.toString(16).padStart(8, '0')}`;
    const start = (note.about.name ?? '').slice(0, MAX_NAME_CHARACTERS - end.length);
    return `${start.replace(/[.-]+$/, '')}${end}`;
  }

  #drop(reason: string): void {
    this.#observe({ type: 'EventDropped', reason });
  }
}

function cut(message: string): string {
  if (message.length <= MAX_MESSAGE_CHARACTERS) return message;
  return `${textStart(message, MAX_MESSAGE_CHARACTERS - 1)}…`;
}

/** Whether a retry would fail again: no permission, or a namespace that does not exist or is terminating. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code < 500 && error.code !== 409 && error.code !== 429;
}
