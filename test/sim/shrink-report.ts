/** `npm run sim -- --shrink` prints the fewest faults of a failing seed, their story, and the kept test. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Faults } from './faults.ts';
import type { Kept } from './kept.ts';
import type { Simulation } from './lifecycles.ts';
import { podStory } from './pod/story.ts';
import { rolloutStory } from './rollout/story.ts';
import { shrink, type Shrunk } from './shrink.ts';
import { snapshotStory } from './snapshot/story.ts';
import { storyOf, type StoryRule } from './story.ts';

export interface ShrinkOptions {
  readonly lifecycle: string;
  readonly simulate: Simulation;
  readonly seed: number;
  readonly focus: string | undefined;
  /** Name of the file for the kept test; absent: the test is only printed. */
  readonly keep: string | undefined;
}

/** The lines of the report; null if the seed violates no invariant. */
export async function reportShrunk(options: ShrinkOptions): Promise<readonly string[] | null> {
  const { lifecycle, simulate, seed, focus } = options;
  const shrunk = await shrink(simulate, seed, focus);
  if (shrunk === null) return null;
  const { violation, before, faults, replays } = shrunk;
  return [
    `${lifecycle}: seed ${seed} breaks ${violation.invariant}: ${violation.message}`,
    `${faults.length} of its ${before} faults and acts are enough (${replays} replays):`,
    ...faults.map(({ id }) => `  ${id}`),
    '',
    'What happens then:',
    ...(await report(options, shrunk)),
    '',
    keepTest(options, shrunk),
  ];
}

/** Rules keyed by lifecycle. A lifecycle without an entry uses only the common rules. */
const STORIES: Readonly<Record<string, readonly StoryRule[]>> = {
  pod: podStory,
  rollout: rolloutStory,
  snapshot: snapshotStory,
};

async function report(
  { lifecycle, simulate, seed, focus }: ShrinkOptions,
  { faults }: Shrunk,
): Promise<readonly string[]> {
  const lines: string[] = [];
  await simulate(seed, (line) => lines.push(line), new Faults({ only: faults, focus }));
  return storyOf(lines, STORIES[lifecycle] ?? []);
}

/** Writes the kept test if `keep` is set. Returns a line with its path, or else its text. */
function keepTest(
  { lifecycle, seed, focus, keep }: ShrinkOptions,
  { violation, faults }: Shrunk,
): string {
  const what = keep?.replaceAll('-', ' ') ?? violation.message;
  const { invariant } = violation;
  const kept: Kept = { what, seed, ...(focus === undefined ? {} : { focus }), invariant, faults };
  const text = `${JSON.stringify(kept, null, 2)}\n`;
  // A relative path, because npm runs the program in the root of the repository.
  const directory = join('test', 'sim', lifecycle, 'kept');
  if (keep === undefined) {
    return `As a test, in a file of ${directory} (--keep NAME writes it):\n${text}`;
  }
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${keep}.json`);
  writeFileSync(file, text);
  return `As a test: ${file}`;
}
