/**
 * Customers who order again shortly after each acknowledged order. Each order uses a new connection, and is retried
 * until it is acknowledged. Every answer is checked completely: a refused, truncated, late or wrong answer counts as a
 * failed request.
 */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import { errorText } from '../../platform/error-text.ts';

export interface Order {
  readonly id: string;
  readonly item: string;
  readonly quantity: number;
}

export interface Acknowledged extends Order {
  /** The pod that accepted the order. */
  readonly by: string;
  /** Start of the request, in epoch milliseconds. */
  readonly askedMs: number;
  readonly answeredMs: number;
}

export interface Failure {
  /** Start of the request, in epoch milliseconds. */
  readonly askedMs: number;
  readonly answeredMs: number;
  readonly reason: string;
}

const CLIENTS = 4;
const PAUSE_MS = 20;
/** Milliseconds before a retry of an order that was not acknowledged. */
const RETRY_MS = 50;
/** Milliseconds that a customer waits for an answer; longer than the longest freeze. */
const PATIENCE_MS = 25_000;
/** Number of orders after which the customers stop. */
const ORDERS_MAX = 50_000;
const ANSWER_CHARACTERS_MAX = 1_000;
const ITEMS = ['tea', 'coffee', 'cake'];

export class OrderClients {
  readonly acknowledged: Acknowledged[] = [];
  readonly failures: Failure[] = [];
  readonly #url: string;
  readonly #stopping = new AbortController();
  readonly #working: Promise<unknown>;
  #sent = 0;

  /** The customers start at once. */
  constructor(url: string) {
    this.#url = `${url}/orders`;
    this.#working = Promise.all(Array.from({ length: CLIENTS }, () => this.#keepOrdering()));
  }

  /** Example: "812 orders, 0 failed requests" */
  get counts(): string {
    return `${this.acknowledged.length} orders, ${this.failures.length} failed requests`;
  }

  /** Cancels the pending requests, which then count neither as orders nor as failures. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
  }

  async #keepOrdering(): Promise<void> {
    const { signal } = this.#stopping;
    let order = this.#next();
    while (!signal.aborted && this.#sent < ORDERS_MAX) {
      const isTaken = await this.#place(order);
      if (isTaken) order = this.#next();
      await wait(isTaken ? PAUSE_MS : RETRY_MS);
    }
  }

  #next(): Order {
    this.#sent += 1;
    const item = ITEMS[this.#sent % ITEMS.length] ?? '';
    return { id: `order-${this.#sent}`, item, quantity: (this.#sent % 5) + 1 };
  }

  async #place(order: Order): Promise<boolean> {
    const askedMs = Date.now();
    const answer = await ask(this.#url, order, this.#stopping.signal);
    const answeredMs = Date.now();
    if (this.#stopping.signal.aborted) return false;
    if (typeof answer === 'string') this.failures.push({ askedMs, answeredMs, reason: answer });
    else this.acknowledged.push({ ...order, ...answer, askedMs, answeredMs });
    return typeof answer !== 'string';
  }
}

/** The pod that accepted the order, or the reason for the failure. */
async function ask(
  url: string,
  order: Order,
  signal: AbortSignal,
): Promise<{ readonly by: string } | string> {
  const call = request(url, { method: 'POST', agent: false, timeout: PATIENCE_MS, signal });
  call.on('timeout', () => call.destroy(new Error('late')));
  // Ignored here: the code that reads the answer gets the same error. Without this listener the process would exit.
  call.on('error', () => {});
  call.end(JSON.stringify(order));
  try {
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    let text = '';
    for await (const piece of response.setEncoding('utf8')) {
      text = `${text}${String(piece)}`.slice(0, ANSWER_CHARACTERS_MAX);
    }
    return judge(order, response.statusCode ?? 0, text);
  } catch (error) {
    return `no answer (${errorText(error)})`;
  }
}

function judge(order: Order, status: number, text: string): { readonly by: string } | string {
  if (status !== 201) return `status ${status}: ${text.trim()}`;
  const { id, item, quantity, by } = JSON.parse(text) as Order & { readonly by?: string };
  const isSame = id === order.id && item === order.item && quantity === order.quantity;
  return isSame && by !== undefined ? { by } : `another order: ${text.trim()}`;
}
