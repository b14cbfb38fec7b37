/** Runs the suite on the local server and compares it with the recording of the real one. */
import { compareRecordings } from './compare.ts';
import { explain, type Explained } from './differences.ts';
import { openLocalServer } from './local-server.ts';
import { play } from './play.ts';
import { readRecordings } from './recording-files.ts';
import type { Recording } from './scenario.ts';
import { scenarios } from './suite.ts';

export interface Verdict {
  readonly exchanges: number;
  readonly identical: number;
  readonly explained: readonly Explained[];
  /** Differences without a rule, which count as defects. */
  readonly unexplained: readonly Explained[];
}

/** `filter` selects scenarios by name. */
export async function judgeLocal(filter: RegExp = /./): Promise<Verdict> {
  await using server = await openLocalServer();
  const recorded = readRecordings();
  const received: Recording[] = [];
  for (const scenario of scenarios().filter(({ name }) => filter.test(name))) {
    received.push(await play(scenario, server));
  }
  return judge(received, recorded);
}

/**
 * Compares what a server answered with its recording. A scenario without a recording counts as different in every
 * exchange.
 */
export function judge(
  received: readonly Recording[],
  recorded: ReadonlyMap<string, Recording>,
): Verdict {
  let exchanges = 0;
  let identical = 0;
  const found: Explained[] = [];
  for (const recording of received) {
    const expected = recorded.get(recording.scenario) ?? { ...recording, exchanges: [] };
    const comparison = compareRecordings(expected, recording);
    exchanges += recording.exchanges.length;
    identical += comparison.identical;
    found.push(...explain(comparison.differences));
  }
  return {
    exchanges,
    identical,
    explained: found.filter(({ rule }) => rule !== undefined),
    unexplained: found.filter(({ rule }) => rule === undefined),
  };
}

const MAX_SHOWN = 40;
const MAX_TEXT = 300;

/** One line for each of the first differences. */
export function reportedDifferences(found: readonly Explained[]): readonly string[] {
  const lines = found.slice(0, MAX_SHOWN).map(({ difference }) => {
    const { scenario, step, path, expected, received } = difference;
    const [is, was] = [received, expected].map((value) =>
      (value === undefined ? 'nothing' : JSON.stringify(value)).slice(0, MAX_TEXT),
    );
    return `${scenario} / ${step}: ${path} is ${is}, and was ${was}`;
  });
  const more = found.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}
