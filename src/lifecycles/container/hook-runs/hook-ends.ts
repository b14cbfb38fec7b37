/** The outcomes of one container's hooks, as recorded in the spool. */
import type { AttemptResult, RunOutcome, RunRecord } from '../../../model/attempt.ts';
import type { Files } from '../../../platform/platform.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';
import type { Point } from '../life/container.ts';
import { containerPart, startOf, type HookOutline } from './spool.ts';

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
  /** Succeeded also for a hook whose failure was ignored. */
  readonly outcome: RunOutcome | 'Unknown';
  readonly last: AttemptResult | null;
}

/** The outcomes of one container's hooks, oldest first. */
export async function hookEnds(
  files: Files,
  { spool, containerId, stages, sinceMs }: EndsQuestion,
): Promise<HookEnd[]> {
  const beginnings = stages.map((stage) => `-${containerPart(containerId)}-${stage}-`);
  const mine = (await namesIn(files, spool)).filter(
    (name) => beginnings.some((beginning) => name.includes(beginning)) && startOf(name) >= sinceMs,
  );
  const ends: HookEnd[] = [];
  for (const name of mine.toSorted()) {
    const { container, ...end } = await readEnd(files, `${spool}/${name}`);
    // The file name is ambiguous: "my-web" ends like "web", and a long id is cut. So compare the recorded id.
    if (container === containerId && stages.includes(end.stage)) ends.push(end);
  }
  return ends;
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
  const said = [last?.stderr.text ?? '', last?.stdout.text ?? '']
    .map((text) => text.trim().slice(-shownCharacters))
    .filter((text) => text !== '')
    .join('\n');
  const words = said === '' ? 'It printed nothing.' : `It printed: "${said}".`;
  return `The ${stage} hook ${hook} failed. ${last?.reason ?? ''} ${words}`.replace('  ', ' ');
}

async function readEnd(
  files: Files,
  path: string,
): Promise<HookEnd & Pick<HookOutline, 'container'>> {
  const lines = decodeUtf8(await files.read(path))
    .trimEnd()
    .split('\n');
  const [outline, ...records] = lines.map((line) => JSON.parse(line) as unknown) as [
    HookOutline,
    ...RunRecord[],
  ];
  const settled = records.findLast((record) => record.type === 'AttemptSettled');
  const last = records.at(-1);
  return {
    container: outline.container,
    hook: outline.hook,
    stage: outline.stage,
    outcome: last?.type === 'RunSettled' ? last.outcome : 'Unknown',
    last: settled?.type === 'AttemptSettled' ? settled.result : null,
  };
}

async function namesIn(files: Files, spool: string): Promise<string[]> {
  try {
    return (await files.list(spool)).filter((name) => /^[^.].*\.jsonl$/.test(name));
  } catch {
    // No hook has run on this machine yet.
    return [];
  }
}
