/** Reads the pod hooks on the node of a local cluster from its journal, with the output and the time of each hook. */
import type { RunRecord } from '../../model/attempt.ts';
import { errorText } from '../../platform/error-text.ts';
import type { FileTail, FileTails } from '../../platform/file-tails.ts';
import type { ByteText, CancelSignal, Timers } from '../../platform/platform.ts';
import { sleep } from '../../platform/sleep.ts';
import { decodeJournal } from '../../store/journal-line.ts';
import type { Bar } from '../bar.ts';
import type { BarStore } from '../bar-store.ts';
import { runBars } from './run-bars.ts';

const POLL_MS = 500;
/** Maximum number of remembered runs that may still get a record. */
const MAX_RUNS = 2_000;

export interface FollowNodeOptions {
  readonly store: Pick<BarStore, 'put' | 'setSource'>;
  readonly tails: FileTails;
  /** State directory of the cluster. */
  readonly stateFolder: string;
  /** Name of the node on the page. */
  readonly name: string;
}

export class NodeSource {
  readonly #options: FollowNodeOptions;
  readonly #journal: GrowingLines;
  readonly #runs = new Map<string, RunRecord[]>();

  constructor(options: FollowNodeOptions) {
    this.#options = options;
    this.#journal = new GrowingLines(options.tails, `${options.stateFolder}/hooks/journal.jsonl`);
  }

  /** Reads the records since the last call. Never rejects: a failure becomes the problem of the source. */
  async readNews(): Promise<void> {
    const { store, name } = this.#options;
    try {
      const lines = await this.#journal.next();
      const records = lines.flatMap((line) => decodeJournal(`${line}\n`, '') as RunRecord[]);
      for (const bar of records.flatMap((record) => this.#add(record))) store.put(bar);
      store.setSource(name, null);
    } catch (error) {
      store.setSource(name, errorText(error));
    }
  }

  #add(record: RunRecord): Bar[] {
    // The journal may have been rewritten: then each run starts again from its first record.
    if (record.type === 'RunOpened') this.#runs.set(record.runId, []);
    const records = this.#runs.get(record.runId);
    if (records === undefined) return [];
    records.push(record);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > MAX_RUNS && oldest !== undefined) this.#runs.delete(oldest);
    return podBars(records);
  }
}

/** The spans of one hook in one run of its container; the title of the run names the container. */
function podBars(records: readonly RunRecord[]): Bar[] {
  const [opened] = records;
  if (opened?.type !== 'RunOpened') return [];
  const { title, runId } = opened;
  const found = /^Pod ([^/]+)\/([^,]+), container ([^,]+), lifecycle\.(\w+)$/.exec(title);
  const [, namespace, pod, container, point] = found ?? [];
  if (namespace === undefined || pod === undefined || point === undefined) return [];
  return runBars(records, {
    id: `pod/${runId}`,
    lifecycle: 'pod',
    lane: `${namespace}/${pod}/${container}`,
    run: pod,
    point,
    name: point,
    where: `Pod ${namespace}/${pod}`,
    next: `kubectl describe pod -n ${namespace} ${pod}`,
  });
}

const BLOCK_BYTES = 262_144;
/** Maximum bytes of one read; the rest is read by the next call. */
const MAX_READ_BYTES = 16_777_216;
/** Maximum bytes of a line. A longer line is not a record of Lifehook, and is skipped. */
const MAX_LINE_BYTES = 4_194_304;

/** Calls `readNews` of a source twice a second until the signal aborts. */
export async function pollNews(
  source: { readonly readNews: () => Promise<void> },
  timers: Timers,
  signal: CancelSignal,
): Promise<void> {
  while (!signal.aborted) {
    await source.readNews();
    await sleep(timers, POLL_MS, signal);
  }
}

/**
 * Reads the complete lines of a file to which another process appends. If the file was replaced, it is read from its
 * start.
 */
export class GrowingLines {
  readonly #tails: FileTails;
  readonly #path: string;
  #identity: string | null = null;
  #offset = 0;
  /** The start of a line whose end was not in the file. */
  #begun = '';

  constructor(tails: FileTails, path: string) {
    this.#tails = tails;
    this.#path = path;
  }

  /** Lines as bytes, without line ends; empty if the file does not exist or has no new line. */
  async next(): Promise<string[]> {
    const tail = await this.#tails.open(this.#path);
    if (tail === null) return [];
    const isKnown = tail.identity === this.#identity;
    const offset = isKnown ? this.#offset : 0;
    const news = await readNewsOf(tail, offset);
    // Only now: after a failure the next call reads the same part again.
    this.#identity = tail.identity;
    this.#offset = offset + news.length;
    const lines = `${isKnown ? this.#begun : ''}${news}`.split('\n');
    this.#begun = lines.pop() ?? '';
    if (this.#begun.length > MAX_LINE_BYTES) this.#begun = '';
    return lines.filter((line) => line !== '');
  }
}

/** The content from the offset on, at most MAX_READ_BYTES; closes the file. */
async function readNewsOf(tail: FileTail, offset: number): Promise<ByteText> {
  let news = '';
  try {
    while (news.length < MAX_READ_BYTES) {
      const block = await tail.read(offset + news.length, BLOCK_BYTES);
      news += block;
      if (block.length < BLOCK_BYTES) break;
    }
  } finally {
    await tail.close();
  }
  return news;
}
