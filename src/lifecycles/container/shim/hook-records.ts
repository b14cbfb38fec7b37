/** What the spool tells of one container's hooks, for who has to act on how they ended. */
import type { RunOutcome, RunRecord } from '../../../model/attempt.ts';
import type { ShimHost } from '../../../platform/shim-host.ts';
import { decodeUtf8 } from '../config/byte-text.ts';
import type { WrappedStage } from './hook-command.ts';
import { containerPart } from '../hook-runs/spool.ts';

export interface RecordQuestion {
  readonly spool: string;
  readonly containerId: string;
  readonly stage: WrappedStage;
  /** Not those of an earlier container of this name. */
  readonly sinceMs: number;
}

/** How the hooks of that stage ended, in order. A hook whose failure was ignored has succeeded. */
export async function hookOutcomes(
  host: ShimHost,
  { spool, containerId, stage, sinceMs }: RecordQuestion,
): Promise<RunOutcome[]> {
  const names = await namesIn(host, spool);
  const mine = names.filter(
    (name) =>
      name.includes(`-${containerPart(containerId)}-${stage}-`) &&
      Number.parseInt(name, 10) >= sinceMs,
  );
  const outcomes: RunOutcome[] = [];
  for (const name of mine.toSorted()) {
    const lines = decodeUtf8(await host.files.read(`${spool}/${name}`))
      .trimEnd()
      .split('\n');
    const last = JSON.parse(lines.at(-1) ?? '') as RunRecord;
    outcomes.push(last.type === 'RunSettled' ? last.outcome : 'Unknown');
  }
  return outcomes;
}

async function namesIn(host: ShimHost, spool: string): Promise<string[]> {
  try {
    return (await host.files.list(spool)).filter((name) => name.endsWith('.jsonl'));
  } catch {
    // No hook has run on this machine yet.
    return [];
  }
}
