/** Differences between two recordings of one scenario, leaf by leaf. */
import { isObject } from '../../src/kube/fields.ts';
import type { Json } from '../../src/kube/object.ts';
import type { Exchange, Recording } from './scenario.ts';

export interface Difference {
  readonly scenario: string;
  readonly step: string;
  readonly request: string;
  /** "status", "type", "warnings", or a path into the body: "body.metadata.labels.a". */
  readonly path: string;
  /** The recorded value; undefined if the recording has none at the path. The same applies to `received`. */
  readonly expected: Json | undefined;
  readonly received: Json | undefined;
}

export interface Comparison {
  /** Exchanges without any difference. */
  readonly identical: number;
  readonly differences: readonly Difference[];
}

export function compareRecordings(expected: Recording, received: Recording): Comparison {
  const differences: Difference[] = [];
  let identical = 0;
  const others = new Map(received.exchanges.map((exchange) => [exchange.step, exchange]));
  for (const exchange of expected.exchanges) {
    const other = others.get(exchange.step);
    others.delete(exchange.step);
    const found = exchangeDifferences(exchange, other);
    if (found.length === 0) identical += 1;
    const { step, request } = exchange;
    differences.push(
      ...found.map((leaf) => ({ scenario: expected.scenario, step, request, ...leaf })),
    );
  }
  for (const { step, request, body } of others.values()) {
    const leaf = { path: 'step', expected: undefined, received: body };
    differences.push({ scenario: expected.scenario, step, request, ...leaf });
  }
  return { identical, differences };
}

type Leaf = Pick<Difference, 'path' | 'expected' | 'received'>;

function exchangeDifferences(expected: Exchange, received: Exchange | undefined): Leaf[] {
  if (received === undefined) {
    return [{ path: 'step', expected: expected.body, received: undefined }];
  }
  return [
    ...leaves('request', expected.request, received.request),
    ...leaves('status', expected.status, received.status),
    ...leaves('type', expected.type, received.type),
    ...leaves('warnings', [...expected.warnings], [...received.warnings]),
    ...leaves('body', expected.body, received.body),
  ];
}

function leaves(path: string, a: Json | undefined, b: Json | undefined): Leaf[] {
  if (isObject(a) && isObject(b)) {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return names.flatMap((name) => leaves(`${path}.${name}`, a[name], b[name]));
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    return a.flatMap((item, index) => leaves(`${path}[${index}]`, item, b[index]));
  }
  const same = JSON.stringify(a) === JSON.stringify(b);
  const sameFaults = path === 'body.message' && inOneOrder(a) === inOneOrder(b);
  return same || sameFaults ? [] : [{ path, expected: a, received: b }];
}

/** Sorts the errors in "... is invalid: [...]", because the server prints them in the random order of a Go map. */
function inOneOrder(message: Json | undefined): Json | undefined {
  if (typeof message !== 'string') return message;
  const [, head, faults] = /^(.* is invalid: )\[(.*)\]$/su.exec(message) ?? [];
  if (head === undefined || faults === undefined) return message;
  return (
    head +
    faults
      .split(/, (?=[\w.[\]]+: )/u)
      .toSorted()
      .join(', ')
  );
}
