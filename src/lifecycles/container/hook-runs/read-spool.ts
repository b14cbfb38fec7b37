/** Reads the records that runners left in the spool. */
import { bareResult } from '../../../engine/act.ts';
import type { AttemptResult, RunRecord } from '../../../model/attempt.ts';
import { unlessMissing } from '../../../platform/posix-error.ts';
import type { Files } from '../../../platform/platform.ts';
import { procTable, type ProcessIdentity } from '../../../store/process-table.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';
import { startOf, type HookOutline } from './spool.ts';

export interface HookRecord extends Omit<HookOutline, 'type' | 'version' | 'pid' | 'writer'> {
  readonly startedAtMs: number;
  readonly attempts: number;
  /**
   * The result of the last attempt; null: the hook is still running. Its outcome is Unknown if the runner is dead and
   * the end was not observed.
   */
  readonly result: AttemptResult | null;
}

/** Newest first. If a full disk cut a record short, its complete lines are returned. */
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
    const text = decodeUtf8(await readOrNothing(files, `${folder}/${name}`));
    const read = readRecord(name, text);
    if (read === null) continue;
    const { record, writer } = read;
    const unseen = record.result === null && !(await isAlive(files, writer));
    records.push(unseen ? { ...record, result: endUnseen } : record);
  }
  return records;
}

async function namesIn(files: Files, folder: string): Promise<string[]> {
  const names = (await unlessMissing(files.list(folder))) ?? [];
  return names.filter((name) => name.endsWith('.jsonl'));
}

/** A record can get its final name, or be pruned, between the listing and the reading. */
async function readOrNothing(files: Files, path: string): Promise<string> {
  return (await unlessMissing(files.read(path))) ?? '';
}

interface Read {
  readonly record: HookRecord;
  /** undefined: an earlier version wrote the record. */
  readonly writer: ProcessIdentity | undefined;
}

function readRecord(name: string, text: string): Read | null {
  const lines = text.split('\n').flatMap(parseLine);
  const [outline, ...records] = lines as [HookOutline | undefined, ...RunRecord[]];
  if (outline?.type !== 'HookRun') return null;
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
    startedAtMs: startOf(name),
    attempts: started.length,
    result,
  };
  return { record, writer: outline.writer };
}

const endUnseen = bareResult(
  'Unknown',
  'The process that ran it exited before its end was recorded.',
  0,
);

async function isAlive(files: Files, writer: ProcessIdentity | undefined): Promise<boolean> {
  return writer !== undefined && procTable(files).isAlive(writer);
}

/** Empty for a line that a full disk cut off. */
export function parseLine(line: string): unknown[] {
  try {
    return line === '' ? [] : [JSON.parse(line)];
  } catch {
    return [];
  }
}
