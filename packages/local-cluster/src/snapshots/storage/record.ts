/** What is written down beside a cut: that it was begun, and, when it has ended, how and when. */
import type { Files } from '../../../../../src/platform/platform.ts';
import { codeOf } from '../../../../../src/platform/posix-error.ts';
import type { Method } from './methods.ts';
import type { Proof } from './one-moment.ts';

export interface CutRecord {
  readonly source: string;
  readonly startedAtMs: number;
  /** Both or none. */
  readonly method?: Method;
  readonly cutAtMs?: number;
  /** Of a cut made file by file: whether it is of one moment. */
  readonly proof?: Proof | null;
}

const MODE = 0o600;

export function recordPath(target: string): string {
  return `${target}.json`;
}

export async function writeRecord(files: Files, target: string, record: CutRecord): Promise<void> {
  await files.replace(recordPath(target), JSON.stringify(record), { mode: MODE });
}

export interface EndedCut {
  readonly method: Method;
  readonly cutAtMs: number;
  readonly proof: Proof | null;
}

/** null: there is none, or the cut has not ended. */
export async function readRecord(files: Files, target: string): Promise<EndedCut | null> {
  try {
    const text = await files.read(recordPath(target));
    const { method, cutAtMs, proof = null } = JSON.parse(text) as CutRecord;
    if (method === undefined || cutAtMs === undefined) return null;
    // A copy has ended when it is known whether it is of one moment.
    return method !== 'btrfs' && proof === null ? null : { method, cutAtMs, proof };
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
