import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  type Difference,
  readTranscript,
  type Side,
  type Transcript,
  withAnswer,
  writeTranscript,
} from './transcript.ts';

const FOLDER = join(import.meta.dirname, 'transcripts');
const ENDING = '.txt';

/** Keyed by file name, which is the name of the command. */
export function readTranscripts(): ReadonlyMap<string, Transcript> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(ENDING));
  return new Map(
    files
      .toSorted()
      .map((file) => [
        file.slice(0, -ENDING.length),
        readTranscript(readFileSync(join(FOLDER, file), 'utf8')),
      ]),
  );
}

/** Records the answers of one of the clusters. */
export function recordAnswers(
  name: string,
  side: Side,
  answers: readonly (readonly string[])[],
): void {
  const path = join(FOLDER, `${name}${ENDING}`);
  const { head, steps } = readTranscript(readFileSync(path, 'utf8'));
  const recorded = steps.map((step, index) => withAnswer(step, side, answers[index] ?? []));
  writeFileSync(path, writeTranscript({ head, steps: recorded }));
}

/** Commands by the reason of their differences. */
export function reasonsOf(
  transcripts: ReadonlyMap<string, Transcript>,
): ReadonlyMap<string, string> {
  const reasons = new Map<string, Set<string>>();
  for (const [name, { steps }] of transcripts) {
    const differences = steps.flatMap(({ parts }) =>
      parts.filter((part): part is Difference & { kind: 'different' } => part.kind !== 'same'),
    );
    for (const { why } of differences) {
      reasons.set(why, (reasons.get(why) ?? new Set()).add(name));
    }
  }
  return new Map([...reasons].map(([why, names]) => [why, [...names].join(', ')]));
}
