/** Reads the records that the hooks of containers leave in their spool, for every runtime. */
import {
  isAlive,
  parseRecord,
  SPOOL_FILES_MAX,
  startOf,
} from '../../../lifecycles/container/hook-runs/spool.ts';
import type { RunRecord } from '../../../model/attempt.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { ByteText, Files } from '../../../platform/platform.ts';
import { unlessMissing } from '../../../platform/posix-error.ts';
import type { ProcessIdentity } from '../../../store/process-table.ts';
import type { BarStore } from '../../bar-store.ts';
import type { Bar } from '../../bar.ts';
import { runBars } from '../run-bars.ts';

export interface FollowRecordsOptions {
  readonly store: Pick<BarStore, 'put' | 'setSource'>;
  readonly files: Files;
  /** The spool directory. */
  readonly folder: string;
  /** Name of the directory on the page. */
  readonly name: string;
}

export class RecordsSource {
  readonly #options: FollowRecordsOptions;
  /** Names of the files that are complete and were read. */
  #read = new Set<string>();

  constructor(options: FollowRecordsOptions) {
    this.#options = options;
  }

  /** Reads the records since the last call. Never rejects: a failure becomes the problem of the source. */
  async readNews(): Promise<void> {
    const { store, name, folder } = this.#options;
    try {
      const names = (await this.#names()).filter((file) => file.endsWith('.jsonl'));
      const inOrder = names.toSorted((a, b) => startOf(a) - startOf(b)).slice(-SPOOL_FILES_MAX);
      const there = new Set(inOrder);
      this.#read = new Set([...this.#read].filter((file) => there.has(file)));
      for (const file of inOrder) {
        if (!this.#read.has(file)) await this.#readFile(file);
      }
      store.setSource(name, null);
    } catch (error) {
      const why = errorText(error);
      store.setSource(name, `${folder} cannot be read: ${why}`);
    }
  }

  async #names(): Promise<string[]> {
    // No directory: no hook has run on this machine yet.
    return (await unlessMissing(this.#options.files.list(this.#options.folder))) ?? [];
  }

  async #readFile(file: string): Promise<void> {
    const { files, folder, store } = this.#options;
    // null: the file was renamed to its final name meanwhile, or was removed.
    const text = await unlessMissing(files.read(`${folder}/${file}`));
    const isOver = !file.startsWith('.');
    const record = text === null ? null : containerBars(file, text, isOver);
    if (record === null || text === null) return;
    const hasExited = isOver || !(await isAlive(files, record.writer));
    const bars = hasExited === isOver ? record.bars : containerBars(file, text, hasExited)?.bars;
    for (const bar of bars ?? []) store.put(bar);
    if (hasExited) this.#read.add(file);
  }
}

export interface SpoolRecord {
  readonly bars: readonly Bar[];
  /** The runner of the hook; undefined: an earlier version wrote the record. */
  readonly writer: ProcessIdentity | undefined;
}

/**
 * The record of one hook of a container as spans. Pure. `hasExited`: the runner of the hook has exited, so the file is
 * complete. null: the file is not a record, or the hook has not started yet.
 */
function containerBars(name: string, text: ByteText, hasExited: boolean): SpoolRecord | null {
  const parsed = parseRecord(decodeUtf8(text));
  if (parsed === null) return null;
  const { outline, records } = parsed;
  const { container, bundle, stage, hook, index, pid, writer } = outline;
  const last = records.at(-1);
  const isOpen = hasExited && last !== undefined && last.type !== 'RunSettled';
  const all: readonly RunRecord[] = isOpen ? [...records, unseenEnd(last)] : records;
  const bars = runBars(all, {
    id: `container/${name.replace(/^\./, '')}`,
    lifecycle: 'container',
    lane: shortId(container),
    run: container,
    point: stage,
    name: hook.slice(hook.lastIndexOf('/') + 1),
    where: hook,
    evidence: { hook: `${stage} ${index}`, bundle, runner: `process ${pid}` },
  });
  return { bars, writer };
}

/** The first characters of an id of a container engine, which users type instead of the whole id. */
function shortId(container: string): string {
  return /^[0-9a-f]{64}$/.test(container) ? container.slice(0, SHORT_ID) : container;
}

const SHORT_ID = 12;

function unseenEnd({ runId, atMs }: RunRecord): RunRecord {
  const reason = 'Its runner exited before it recorded the end.';
  return { type: 'RunSettled', runId, atMs, outcome: 'Unknown', reason };
}
