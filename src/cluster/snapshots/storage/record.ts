/** What is written down beside a cut: that it was begun, and, when it has ended, how and when. */
import type { Files } from '../../../platform/platform.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { Method } from './methods.ts';

export interface CutRecord {
  readonly source: string;
  readonly startedAtMs: number;
  /** Both or none. */
  readonly method?: Method;
  readonly cutAtMs?: number;
}

const MODE = 0o600;

export function recordPath(target: string): string {
  return `${target}.json`;
}

export async function writeRecord(files: Files, target: string, record: CutRecord): Promise<void> {
  await files.replace(recordPath(target), JSON.stringify(record), { mode: MODE });
}

/** null: there is none, or the cut has not ended. */
export async function readRecord(
  files: Files,
  target: string,
): Promise<{ readonly method: Method; readonly cutAtMs: number } | null> {
  try {
    const { method, cutAtMs } = JSON.parse(await files.read(recordPath(target))) as CutRecord;
    return method === undefined || cutAtMs === undefined ? null : { method, cutAtMs };
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
