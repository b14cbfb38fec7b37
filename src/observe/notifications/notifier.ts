/**
 * Sends the facts in events out of the cluster. It subscribes to events: `observe` returns at once and never throws, so
 * that a slow receiver delays nothing (ENG-N2).
 *
 *  ENG-N1 Each fact is sent at least once, each time with the same id. After a restart only the facts whose delivery
 *     is not recorded are sent again.
 *  ENG-N2 The queue is bounded, and each message is retried for at most a day. Dropped messages are counted.
 */
import type { EventEnvelope, Notification } from '../../model/event.ts';
import type { Clock, Timers } from '../../platform/platform.ts';
import { type Backoff, backoffMs } from '../../platform/sleep.ts';
import { type PostAnswer, SendQueue } from '../send-queue.ts';
import { type Message, messageOf } from './message.ts';
import { type DeliveredFacts, ReportedFacts } from './reported-facts.ts';

export type NotifiedVerdicts = 'below-required' | 'all';

export interface NotifierOptions {
  /** Sends one message. Never rejects, and resolves within a bounded time. */
  readonly post: (message: Message, signal: AbortSignal) => Promise<PostAnswer>;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  readonly verdicts: NotifiedVerdicts;
  /** Identifies the installation in messages: a URI reference. */
  readonly source: string;
  readonly record: DeliveryRecord;
  /** The events that the present objects of the cluster still prove. Outcomes from before `sinceMs` are left out. */
  readonly recordedEvents: (sinceMs: number) => readonly EventEnvelope[];
  readonly observe: (note: NotifierNote) => void;
}

/** The record of deliveries, which the next leader reads. */
export interface DeliveryRecord {
  /** null: there is no record yet. Rejects if the record cannot be read. */
  load(): Promise<DeliveredFacts | null>;
  save(facts: DeliveredFacts): Promise<void>;
}

export type NotifierNote =
  | { readonly type: 'NotificationSent'; readonly id: string; readonly fact: string }
  | { readonly type: 'NotificationDropped'; readonly count: number; readonly why: string }
  /** The receiver accepts no messages now. They wait and are sent again. */
  | { readonly type: 'ReceiverBusy'; readonly why: string }
  /** The record of deliveries could not be written, so a restart may repeat messages. */
  | { readonly type: 'DeliveryNotRecorded'; readonly why: string };

export const QUEUE_MAX = 1_000;
const DAY_MS = 86_400_000;
const RETRY: Backoff = { firstMs: 1_000, maxMs: 300_000 };

interface Queued {
  readonly message: Message;
  /** When the message was queued, milliseconds of the monotonic clock. */
  readonly sinceMs: number;
}

export class Notifier {
  readonly #options: NotifierOptions;
  readonly #reported: ReportedFacts;
  readonly #queue: SendQueue<Queued>;
  /** Events that arrived before the record was read; null: it was read. */
  #early: EventEnvelope[] | null = [];
  #saving: Promise<void> | null = null;
  #isSaved = true;
  #isLoaded = false;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#reported = new ReportedFacts(
      (type) => type === 'verdict.reached' && options.verdicts === 'all',
    );
    const { timers, random } = options;
    this.#queue = new SendQueue<Queued>({
      post: ([queued], signal) => this.#post(queued, signal),
      timers,
      observe: (note) => {
        if (note.type === 'Busy') options.observe({ type: 'ReceiverBusy', why: note.why });
        else if (note.type === 'Sent') this.#record(note.items);
        else this.#drop(note.items.length, note.why);
      },
      noun: 'notifications',
      queueMax: QUEUE_MAX,
      batchMax: 1,
      gatherMs: 0,
      isTied: (busy, item) => busy.message.problem === item.message.problem,
      againMs: (failures) => backoffMs(failures, RETRY, random()),
    });
  }

  /** Number of messages that wait. */
  get waiting(): number {
    return this.#queue.length + (this.#early?.length ?? 0);
  }

  observe(event: EventEnvelope): void {
    if (event.notification === undefined) return;
    if (this.#early === null) this.#accept(event, event.notification);
    else if (this.#early.length < QUEUE_MAX) this.#early.push(event);
    else this.#drop(1, `${QUEUE_MAX} notifications wait already`);
  }

  /**
   * Call at the start of each term of leadership, once the caches are filled: queues the facts that the last leader has
   * not delivered. Without a record, only problems that persist are sent, and no outcomes of the past. If the record
   * cannot be read, those outcomes are queued once it is read. Never rejects.
   */
  async begin(): Promise<void> {
    this.#isLoaded = false;
    const delivered = await this.#load().catch((error: unknown) => {
      this.#notRecorded(error);
      return null;
    });
    const early = this.#early ?? [];
    this.#early = null;
    this.#observeRecorded(delivered === null ? 0 : DAY_MS);
    for (const event of early) this.observe(event);
    // There is no record yet. Write one, so that the next leader knows the time from which notifications are sent.
    if (delivered === null) this.#save();
  }

  /** Sends waiting messages, and records deliveries, within a few seconds; never rejects. */
  async stop(): Promise<void> {
    await this.#queue.stop();
    await this.#saving;
  }

  /** Loads the record of delivered facts. null: there is no record, or this process has already loaded it. */
  async #load(): Promise<DeliveredFacts | null> {
    if (this.#isLoaded) return null;
    const delivered = await this.#options.record.load();
    this.#isLoaded = true;
    if (delivered !== null) this.#reported.restore(delivered);
    return delivered;
  }

  /** Queues the notifications of the problems that the objects still show, and of the outcomes of the last `ms` ms. */
  #observeRecorded(ms: number): void {
    const { clock, recordedEvents } = this.#options;
    for (const event of recordedEvents(clock.nowMs() - ms)) this.observe(event);
  }

  #accept(event: EventEnvelope, notification: Notification): void {
    const fact = this.#reported.accept(notification);
    if (fact === null) return;
    const { source, clock } = this.#options;
    const message = messageOf(event, notification, { fact, source });
    this.#queue.add({ message, sinceMs: clock.monotonicMs() });
  }

  async #post(queued: Queued | undefined, signal: AbortSignal): Promise<PostAnswer> {
    if (queued === undefined) return { kind: 'taken' };
    const { post, clock } = this.#options;
    const answer = await post(queued.message, signal);
    const isOld = clock.monotonicMs() - queued.sinceMs >= DAY_MS;
    return answer.kind === 'busy' && isOld ? { ...answer, kind: 'refused' } : answer;
  }

  #record(items: readonly Queued[]): void {
    for (const { message } of items) {
      this.#reported.delivered(message);
      this.#options.observe({ type: 'NotificationSent', id: message.id, fact: message.type });
    }
    this.#save();
  }

  /** Writes the newest state of the record, one write at a time. The next message does not wait for the write. */
  #save(): void {
    this.#isSaved = false;
    this.#saving ??= this.#saveAll();
  }

  async #saveAll(): Promise<void> {
    while (!this.#isSaved) {
      this.#isSaved = true;
      try {
        // Loaded first, so that a record that could not be read is not overwritten.
        const delivered = await this.#load();
        if (delivered !== null) this.#observeRecorded(DAY_MS);
        await this.#options.record.save(this.#reported.stored());
      } catch (error) {
        this.#notRecorded(error);
      }
    }
    this.#saving = null;
  }

  #notRecorded(error: unknown): void {
    this.#options.observe({ type: 'DeliveryNotRecorded', why: String(error) });
  }

  #drop(count: number, why: string): void {
    this.#options.observe({ type: 'NotificationDropped', count, why });
  }
}
