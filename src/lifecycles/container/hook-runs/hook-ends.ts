/** The outcomes of one container's hooks, as recorded in the spool. */
import type { AttemptResult, RunOutcome } from '../../../model/attempt.ts';
import { textEnd } from '../../../model/cut-text.ts';
import type { Files } from '../../../platform/platform.ts';
import type { Point } from '../life/container.ts';
import { END_UNSEEN } from './read-spool.ts';
import {
  containerPart,
  finalName,
  isAlive,
  parseRecord,
  readRecordText,
  startOf,
  type HookOutline,
  type SpoolEntry,
} from './spool.ts';

export interface EndsQuestion {
  readonly spool: string;
  readonly containerId: string;
  readonly stages: readonly Point[];
  /** Milliseconds since the epoch. Excludes the hooks of an earlier container with the same id. */
  readonly sinceMs: number;
}

export interface HookEnd {
  readonly hook: string;
  readonly stage: Point;
  /** Succeeded also for a hook whose failure was ignored. Unknown: the runner was killed. */
  readonly outcome: RunOutcome | 'Unknown';
  readonly last: AttemptResult | null;
}

/** The outcomes of one container's hooks, oldest first. A hook that is still running has none. */
export async function hookEnds(
  files: Files,
  { spool, containerId, stages, sinceMs }: EndsQuestion,
): Promise<HookEnd[]> {
  const beginnings = stages.map((stage) => `-${containerPart(containerId)}-${stage}-`);
  const mine = (await namesIn(files, spool)).filter(
    (name) => beginnings.some((beginning) => name.includes(beginning)) && startOf(name) >= sinceMs,
  );
  const ends: HookEnd[] = [];
  for (const name of mine.toSorted(byTime)) {
    const read = await readEnd(files, { folder: spool, name });
    if (read === null) continue;
    const { container, writer: _, ...end } = read;
    // The file name is ambiguous: "my-web" ends like "web", and a long id is cut. So compare the recorded id.
    if (container === containerId && stages.includes(end.stage)) ends.push(end);
  }
  return ends;
}

/** Orders records by time, and those of the same millisecond by stage and index. */
function byTime(left: string, right: string): number {
  return finalName(left) < finalName(right) ? -1 : 1;
}

/** Maximum characters in a message: enough for the hook's last lines. The record has more. */
const shownCharacters = 1000;

/** A message about the first failed hook with its last output; null: none failed. */
export async function failedHookWords(
  files: Files,
  question: EndsQuestion,
): Promise<string | null> {
  const failed = (await hookEnds(files, question)).find(({ outcome }) => outcome !== 'Succeeded');
  if (failed === undefined) return null;
  const { hook, stage, last } = failed;
  const failure = `The ${stage} hook ${hook} failed.`;
  if (last === null) return `${failure} ${END_UNSEEN}`;
  const said = [last.stderr.text, last.stdout.text]
    .map((text) => printable(textEnd(text.trim(), shownCharacters)))
    .filter((text) => text !== '')
    .join('\n');
  const words = said === '' ? 'It printed nothing.' : `It printed: "${said}".`;
  return `${failure} ${last.reason} ${words}`;
}

/**
 * Replaces control characters except line feeds and tabs: runtimes print the message to a terminal, which the output of
 * a hook must not change.
 */
function printable(text: string): string {
  return text.replaceAll(/[^\t\n\x20-\x7e\u00a0-\uffff]/g, '\u{FFFD}');
}

type ReadEnd = HookEnd & Pick<HookOutline, 'container' | 'writer'>;

/** null: the hook is still running, the record was removed, or a full disk cut its first line. */
async function readEnd(files: Files, entry: SpoolEntry): Promise<ReadEnd | null> {
  const read = await readRecord(files, entry);
  if (read === null || read.outcome !== 'Unknown' || !entry.name.startsWith('.')) return read;
  if (await isAlive(files, read.writer)) return null;
  // Read again: the writer may have completed the record before it exited.
  return readRecord(files, entry);
}

async function readRecord(files: Files, entry: SpoolEntry): Promise<ReadEnd | null> {
  const parsed = parseRecord(await readRecordText(files, entry));
  if (parsed === null) return null;
  const { outline, records } = parsed;
  const settled = records.findLast((record) => record.type === 'AttemptSettled');
  const last = records.at(-1);
  return {
    container: outline.container,
    writer: outline.writer,
    hook: outline.hook,
    stage: outline.stage,
    outcome: last?.type === 'RunSettled' ? last.outcome : 'Unknown',
    last: settled?.type === 'AttemptSettled' ? settled.result : null,
  };
}

async function namesIn(files: Files, spool: string): Promise<string[]> {
  try {
    return (await files.list(spool)).filter((name) => name.endsWith('.jsonl'));
  } catch {
    // No hook has run on this machine yet.
    return [];
  }
}
