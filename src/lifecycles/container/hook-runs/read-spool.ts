/** The records that runners left in the spool, for who wants to know what hooks did. */
import type { AttemptResult, RunRecord } from '../../../model/attempt.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { Files } from '../../../platform/platform.ts';
import { decodeUtf8 } from '../config/byte-text.ts';
import { startOf, type HookOutline } from './spool.ts';

export interface HookRecord extends Omit<HookOutline, 'type' | 'version' | 'pid'> {
  readonly startedAtMs: number;
  readonly attempts: number;
  /** Of the last attempt. null: it is still running, or its runner was killed and nobody saw the end. */
  readonly result: AttemptResult | null;
}

/** Newest first. A record that a full disk cut short is told as far as it goes. */
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
    const record = readRecord(name, decodeUtf8(await readOrNothing(files, `${folder}/${name}`)));
    if (record !== null) records.push(record);
  }
  return records;
}

async function namesIn(files: Files, folder: string): Promise<string[]> {
  try {
    return (await files.list(folder)).filter((name) => name.endsWith('.jsonl'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** A record can get its final name, or be pruned, between the listing and the reading. */
async function readOrNothing(files: Files, path: string): Promise<string> {
  try {
    return await files.read(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

function readRecord(name: string, text: string): HookRecord | null {
  const lines = text.split('\n').flatMap(parseLine);
  const [outline, ...records] = lines as [HookOutline | undefined, ...RunRecord[]];
  if (outline?.type !== 'HookRun') return null;
  const { container, bundle, stage, hook, index } = outline;
  const started = records.filter(({ type }) => type === 'AttemptStarted');
  const settled = records.flatMap((record) =>
    record.type === 'AttemptSettled' ? [record.result] : [],
  );
  const result = settled.length < started.length ? null : (settled.at(-1) ?? null);
  return {
    container,
    bundle,
    stage,
    hook,
    index,
    startedAtMs: startOf(name),
    attempts: started.length,
    result,
  };
}

function parseLine(line: string): unknown[] {
  try {
    return line === '' ? [] : [JSON.parse(line)];
  } catch {
    return [];
  }
}
