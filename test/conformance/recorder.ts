/** Sends the requests of one scenario and keeps their answers. */
import { readLines } from '../../src/kube/watch-stream.ts';
import { at, isObject } from '../../src/kube/fields.ts';
import type { Json, JsonObject } from '../../src/kube/object.ts';
import { readText } from '../../src/kube/send-request.ts';
import type { HttpTransport, TransportAnswer } from '../../src/platform/http-transport.ts';
import { Normaliser } from './normalise.ts';
import type { Answer, Call, Exchange } from './scenario.ts';

/** User agent. It is also the field manager of writes that name none. */
const USER_AGENT = 'conformance/1.0';

const MAX_ANSWER_BYTES = 16_777_216;

/** Milliseconds to wait for the last event of a watch. */
const WAIT_MS = 15_000;
/**
 * Milliseconds to wait for a controller. This suite creates and deletes kinds. The real garbage collector then pauses
 * for up to 30 s, until it has listed all kinds again.
 */
const CONTROLLER_WAIT_MS = 90_000;
const POLL_MS = 50;

export interface RecorderOptions {
  readonly transport: HttpTransport;
  /** Namespace of this run; names of cluster-scoped objects begin with it. */
  readonly namespace: string;
}

export interface WatchEvent {
  readonly type: string;
  readonly object: JsonObject;
}

export class Recorder {
  readonly namespace: string;
  readonly exchanges: Exchange[] = [];
  readonly #transport: HttpTransport;
  readonly #normaliser: Normaliser;
  readonly #steps = new Set<string>();

  constructor({ transport, namespace }: RecorderOptions) {
    this.namespace = namespace;
    this.#transport = transport;
    this.#normaliser = new Normaliser(namespace);
  }

  /** Sends one request, and records it. */
  async call(step: string, call: Call): Promise<Answer> {
    const { answer, text } = await this.#send(call);
    const body = parsed(text);
    this.#keep({ step, call, answer, body });
    return { status: answer.status, body: isObject(body) ? body : {} };
  }

  /** Sends a request that only prepares the recorded ones. It is recorded only if it fails. */
  async setUp(call: Call): Promise<Answer> {
    const { answer, text } = await this.#send(call);
    const body = parsed(text);
    if (answer.status >= 300) {
      const step = `set-up ${this.exchanges.length}: ${call.method ?? 'GET'} ${call.path}`;
      this.#keep({ step, call, answer, body });
    }
    return { status: answer.status, body: isObject(body) ? body : {} };
  }

  /**
   * Records the events of a watch while `during` runs, up to the event for which `last` is true. Without that event,
   * all events up to the end are recorded.
   */
  async watch(
    step: string,
    call: Call,
    how: {
      readonly last: (event: WatchEvent) => boolean;
      readonly during?: () => Promise<unknown>;
    },
  ): Promise<readonly WatchEvent[]> {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      stop.abort();
    }, WAIT_MS);
    const events: WatchEvent[] = [];
    const query = { ...call.query, watch: 'true' };
    try {
      const answer = await this.#open({ ...call, query }, stop.signal);
      const reading = readEvents({ answer, events, stop, last: how.last });
      await Promise.all([reading, how.during?.()]);
      this.#keep({ step, call: { ...call, query }, answer, body: events as unknown as Json });
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
    return events;
  }

  /** Repeats a request until `done` accepts the answer, and records that answer, or the last one if it accepts none. */
  async eventually(step: string, call: Call, done: (answer: Answer) => boolean): Promise<Answer> {
    const endMs = Date.now() + CONTROLLER_WAIT_MS;
    for (;;) {
      const { answer, text } = await this.#send(call);
      const body = parsed(text);
      const seen = { status: answer.status, body: isObject(body) ? body : {} };
      if (done(seen) || Date.now() > endMs) {
        this.#keep({ step, call, answer, body });
        return seen;
      }
      await new Promise((go) => {
        setTimeout(go, POLL_MS);
      });
    }
  }

  /** Records that the scenario cannot continue. */
  stopped(why: string): void {
    const { namespace } = this;
    this.exchanges.push({
      step: 'stopped',
      request: '',
      status: 0,
      type: '',
      warnings: [],
      body: why.replaceAll(namespace, '{ns}'),
    });
  }

  async #send(call: Call): Promise<{ answer: TransportAnswer; text: string }> {
    const answer = await this.#open(call);
    return { answer, text: await readText(answer.body, MAX_ANSWER_BYTES) };
  }

  async #open(call: Call, signal?: AbortSignal): Promise<TransportAnswer> {
    const { method = 'GET', body, accept = 'application/json' } = call;
    const contentType = call.contentType ?? 'application/json';
    const prefix = at(body, 'metadata', 'generateName');
    if (typeof prefix === 'string' && prefix !== '') this.#normaliser.expectGenerated(prefix);
    return this.#transport.request({
      method,
      path: target(call),
      headers: {
        accept,
        'user-agent': USER_AGENT,
        ...(body === undefined ? {} : { 'content-type': contentType }),
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  #keep(seen: {
    readonly step: string;
    readonly call: Call;
    readonly answer: TransportAnswer;
    readonly body: Json;
  }): void {
    const { step, call, answer, body } = seen;
    if (this.#steps.has(step)) throw new Error(`two steps are called "${step}"`);
    this.#steps.add(step);
    const normaliser = this.#normaliser;
    this.exchanges.push({
      step: normaliser.text(step),
      request: normaliser.text(`${call.method ?? 'GET'} ${target(call)}`),
      status: answer.status,
      type: answer.headers['content-type'] ?? '',
      warnings: warningsOf(answer.headers['warning'] ?? ''),
      body: normaliser.body(body),
    });
  }
}

function target({ path, query = {} }: Call): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

async function readEvents(watch: {
  readonly answer: TransportAnswer;
  readonly events: WatchEvent[];
  readonly stop: AbortController;
  readonly last: (event: WatchEvent) => boolean;
}): Promise<void> {
  const { answer, events, stop, last } = watch;
  if (answer.status !== 200) {
    const object = parsed(await readText(answer.body, MAX_ANSWER_BYTES));
    events.push({ type: 'refused', object: isObject(object) ? object : { text: object } });
    return;
  }
  try {
    for await (const line of readLines(answer.body, MAX_ANSWER_BYTES)) {
      const event = JSON.parse(line) as WatchEvent;
      events.push(event);
      if (event.type === 'ERROR' || last(event)) return;
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Splits a header whose warnings have the form `299 - "text"` and are joined by commas. */
function warningsOf(header: string): string[] {
  return [...header.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replaceAll(/\\(.)/g, '$1'),
  );
}
