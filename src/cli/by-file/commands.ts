/** Declares `lifehook plan` and `explain`, which select the lifecycle by the file. */
import type { Command } from 'commander';

import type { Settle } from '../exit-codes.ts';
import type { Verb } from './command-for.ts';

/** Runs a command line. */
export type Run = (args: readonly string[]) => Promise<number>;

const VERBS: readonly (readonly [Verb, string, string])[] = [
  ['plan', 'Show what a pipeline or a manifest would run, and where', 'lifehook plan web.yaml'],
  ['explain', 'Show which hooks apply, and why the others do not', 'lifehook explain bundle'],
];

export function addByFileCommands(program: Command, settle: Settle, run: Run): void {
  for (const [verb, description, example] of VERBS) {
    program
      .command(verb)
      .description(description)
      .argument('<path...>', 'files or directories')
      .addHelpText(
        'after',
        `\nIt prints the command of the lifecycle that it runs: that command has more options.\n\nExample:\n  ${example}`,
      )
      .action(async (paths: string[]) => {
        const { runByFile } = await import('./run-by-file.ts');
        settle(await runByFile({ verb, paths, run }));
      });
  }
}
