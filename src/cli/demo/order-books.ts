/** Compares the stored orders with the answers to the customers, and with the times of the servers. Pure. */
import type { Acknowledged, Failure } from './order-clients.ts';

export interface StoredOrder {
  readonly id: string;
  readonly item: string;
  readonly quantity: number;
  /** Present only in version 2. */
  readonly cents?: number;
}

export interface Books {
  readonly orders: ReadonlyMap<string, StoredOrder>;
  /** Stored lines that are no complete order. */
  readonly torn: readonly string[];
}

/** Parses the answer of GET /orders. */
export function readBooks(text: string): Books {
  const orders = new Map<string, StoredOrder>();
  const torn: string[] = [];
  for (const line of linesOf(text)) {
    const order = orderIn(line);
    if (order === null) torn.push(line);
    else orders.set(order.id, order);
  }
  return { orders, torn };
}

/** The ids of acknowledged orders that are missing or changed. */
export function missingOrders(
  { orders }: Books,
  acknowledged: readonly Acknowledged[],
): readonly string[] {
  return acknowledged.flatMap(({ id, item, quantity }) => {
    const stored = orders.get(id);
    return stored?.item === item && stored.quantity === quantity ? [] : [id];
  });
}

/** True: `later` begins with all lines of `earlier`, so that `earlier` is a former state of the same store. */
export function isEarlier(earlier: string, later: string): boolean {
  return later === earlier || later.startsWith(`${earlier}\n`);
}

/** A parsed line of the answer of GET /history. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly pod: string;
  readonly what: string;
  readonly version: number;
}

export function readHistory(text: string): readonly Moment[] {
  return linesOf(text).map((line) => JSON.parse(line) as Moment);
}

export interface Span {
  /** Epoch milliseconds. */
  readonly begin: number;
  readonly end: number;
}

/** The span of a version's hook at a stage; null: the hook did not run, or has not ended. */
export function spanOf(
  history: readonly Moment[],
  { stage, version }: { readonly stage: string; readonly version: number },
): Span | null {
  const at = (what: string): number | undefined =>
    history.find((moment) => moment.what === what && moment.version === version)?.at;
  const begin = at(`${stage} begins`);
  const end = at(`${stage} has ended`);
  return begin === undefined || end === undefined ? null : { begin, end };
}

/** The server pods that had the store open within the span. */
export function serversWithin(history: readonly Moment[], { begin, end }: Span): readonly string[] {
  return history.flatMap(({ what, pod, at }) => {
    if (what !== 'serves' || at > end) return [];
    const deleted = history.find((moment) => moment.pod === pod && moment.what === 'is gone');
    return deleted !== undefined && deleted.at < begin ? [] : [pod];
  });
}

/** The reasons with their counts, the most frequent first: "12 x no answer (ECONNREFUSED)". */
export function reasonsOf(failures: readonly Failure[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of failures) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one);
  return sorted.map(([reason, count]) => `${count} x ${reason}`).join(', ');
}

function orderIn(line: string): StoredOrder | null {
  try {
    const order = JSON.parse(line) as Partial<StoredOrder>;
    const { id, item, quantity } = order;
    if (id === undefined || item === undefined || quantity === undefined) return null;
    return { ...order, id, item, quantity };
  } catch {
    return null;
  }
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
