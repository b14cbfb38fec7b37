/** Reads the records that runners left in the spool. */
import { bareResult } from '../../../engine/act.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import { unlessMissing } from '../../../platform/posix-error.ts';
import type { Files } from '../../../platform/platform.ts';
import type { ProcessIdentity } from '../../../store/process-table.ts';
import {
  isAlive,
  parseRecord,
  readRecordText,
  startOf,
  type HookOutline,
  type SpoolEntry,
} from './spool.ts';

export interface HookRecord extends Omit<HookOutline, 'type' | 'version' | 'pid' | 'writer'> {
  readonly startedAtMs: number;
  readonly attempts: number;
  /**
   * The result of the last attempt; null: the hook is still running. Its outcome is Unknown if the runner is dead and
   * the end was not observed.
   */
  readonly result: AttemptResult | null;
}

/**
 * The newest records of the spool, newest first. If a full disk cut a record short, its complete lines are returned.
 */
export async function readSpool(
  files: Files,
  folder: string,
  options: { readonly limit: number },
): Promise<readonly HookRecord[]> {
  const names = (await namesIn(files, folder)).toSorted(
    (left, right) => startOf(right) - startOf(left),
  );
  const records: HookRecord[] = [];
  for (const name of names.slice(0, options.limit)) {
    const record = await recordOf(files, { folder, name });
    if (record !== null) records.push(record);
  }
  return records;
}

/** null: the record was removed, or a full disk cut its first line. */
async function recordOf(files: Files, entry: SpoolEntry): Promise<HookRecord | null> {
  const read = await readRecord(files, entry);
  if (read === null || read.record.result !== null) return read?.record ?? null;
  if (await isAlive(files, read.writer)) return read.record;
  // Read again: the writer may have completed the record before it exited.
  const { record } = (await readRecord(files, entry)) ?? read;
  return record.result === null ? { ...record, result: endUnseen } : record;
}

async function namesIn(files: Files, folder: string): Promise<string[]> {
  const names = (await unlessMissing(files.list(folder))) ?? [];
  return names.filter((name) => name.endsWith('.jsonl'));
}

interface Read {
  readonly record: HookRecord;
  /** undefined: an earlier version wrote the record. */
  readonly writer: ProcessIdentity | undefined;
}

async function readRecord(files: Files, entry: SpoolEntry): Promise<Read | null> {
  const parsed = parseRecord(await readRecordText(files, entry));
  if (parsed === null) return null;
  const { outline, records } = parsed;
  const { container, bundle, stage, hook, index } = outline;
  const started = records.filter(({ type }) => type === 'AttemptStarted');
  const settled = records.flatMap((record) =>
    record.type === 'AttemptSettled' ? [record.result] : [],
  );
  const result = settled.length < started.length ? null : (settled.at(-1) ?? null);
  const record = {
    container,
    bundle,
    stage,
    hook,
    index,
    startedAtMs: startOf(entry.name),
    attempts: started.length,
    result,
  };
  return { record, writer: outline.writer };
}

export const END_UNSEEN = 'The process that ran it exited before its end was recorded.';
const endUnseen = bareResult('Unknown', END_UNSEEN, 0);
