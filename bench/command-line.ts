/** The start-up time of the built command line, compared with a bare Node. */
import process from 'node:process';
import { interleave, median, runCommand, type BenchResult } from './measure.ts';

const ROUNDS = 25;

export async function commandLine(): Promise<readonly BenchResult[]> {
  const node = process.execPath;
  const times = await interleave(
    [
      {
        name: 'bare',
        run: () => {
          runCommand(node, ['-e', '0']);
        },
      },
      {
        name: 'version',
        run: () => {
          runCommand(node, ['dist/lifehook.js', '--version']);
        },
      },
      {
        name: 'help',
        run: () => {
          runCommand(node, ['dist/lifehook.js', '--help']);
        },
      },
    ],
    ROUNDS,
  );
  const bare = median(times.get('bare') ?? []);
  const ratio = (name: string, goal: number | null): BenchResult => ({
    name: `command-line-${name}`,
    value: median(times.get(name) ?? []) / bare,
    unit: 'times',
    goal,
    against: `node -e 0 (${bare.toFixed(1)} ms)`,
    samples: ROUNDS,
  });
  return [ratio('version', 2), ratio('help', null)];
}
