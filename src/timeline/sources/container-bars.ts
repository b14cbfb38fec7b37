/** The record of one hook of a container as bars. Pure. */
import { decodeUtf8 } from '../../platform/byte-text.ts';
import type { HookOutline } from '../../lifecycles/container/hook-runs/spool.ts';
import type { RunRecord } from '../../model/attempt.ts';
import type { ByteText } from '../../platform/platform.ts';
import type { Bar } from '../bar.ts';
import { runBars } from './run-bars.ts';

export interface SpoolRecord {
  readonly bars: readonly Bar[];
  /** Of its runner. */
  readonly pid: number;
}

/** `isGone`: its runner is, so that nobody writes on. null: it is not a record, or not begun yet. */
export function containerBars(name: string, text: ByteText, isGone: boolean): SpoolRecord | null {
  const lines = decodeUtf8(text).split('\n').flatMap(parsed);
  // Written by a runner, line by line.
  const [outline, ...records] = lines as [HookOutline | undefined, ...RunRecord[]];
  if (outline?.type !== 'HookRun') return null;
  const { container, bundle, stage, hook, index, pid } = outline;
  const last = records.at(-1);
  const isOpen = isGone && last !== undefined && last.type !== 'RunSettled';
  const all: RunRecord[] = isOpen ? [...records, unseenEnd(last)] : records;
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
  return { bars, pid };
}

/** The ids of container engines, of which people use the beginning. */
function shortId(container: string): string {
  return /^[0-9a-f]{64}$/.test(container) ? container.slice(0, SHORT_ID) : container;
}

const SHORT_ID = 12;

function unseenEnd({ runId, atMs }: RunRecord): RunRecord {
  const reason = 'Its runner was ended, and nobody saw the end.';
  return { type: 'RunSettled', runId, atMs, outcome: 'Unknown', reason };
}

/** A line that a full disk cut short tells nothing. */
function parsed(line: string): unknown[] {
  try {
    return line === '' ? [] : [JSON.parse(line)];
  } catch {
    return [];
  }
}
