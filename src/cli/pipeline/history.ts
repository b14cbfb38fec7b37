/** `lifehook pipeline history`, `replay` and `rerun`: list sessions, print their events, rerun failed hooks. */
import type { Command } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { jsonOption, listOutputOption } from '../shared-options.ts';
import { type PipelineOptions, withPipelineOptions } from './options.ts';
import type { HistoryOptions, ReplayOptions } from './kept-sessions.ts';

export function addHistoryCommand(parent: Command, settle: Settle): void {
  parent
    .command('history')
    .description('List the last sessions of this project')
    .option('-f, --filename <file>', 'pipeline file; default: skaffold.yaml in this directory')
    .addOption(listOutputOption())
    .action(async (options: HistoryOptions) => {
      const { printHistory } = await import('./kept-sessions.ts');
      settle(await printHistory(options));
    });
}

/** `lifehook pipeline replay`: prints the recorded events of a session again. It runs nothing. */
export function addReplayCommand(parent: Command, settle: Settle): void {
  parent
    .command('replay')
    .description('Print the events of a session, with the seconds since it began')
    .argument('[session]', 'id of the session, as in the history; default: the last one')
    .option('-f, --filename <file>', 'pipeline file; default: skaffold.yaml in this directory')
    .addOption(jsonOption())
    .action(async (session: string | undefined, options: ReplayOptions) => {
      const { replay } = await import('./kept-sessions.ts');
      settle(await replay(session, options));
    });
}

/** `lifehook pipeline rerun`: runs one recorded hook again. The message of a failed hook suggests it. */
export function addRerunCommand(parent: Command, settle: Settle): void {
  withPipelineOptions(parent.command('rerun'))
    .description('Run one hook again')
    .argument('<id or address>', 'id of a run, or address of a hook, which means its last run')
    .addHelpText(
      'after',
      '\nOptions that you set neither here nor by a SKAFFOLD_* variable are those of the recorded run, except ports. The hook gets your environment. Of the values that earlier hooks set, only those in recordedValues of lifehook.yaml were recorded: set the others as variables.',
    )
    .action(async (wanted: string, given: Partial<PipelineOptions>, command: Command) => {
      const isGiven = (name: string): boolean => command.getOptionValueSource(name) !== 'default';
      const own = Object.entries(given).filter(([name]) => isGiven(name));
      const { rerun } = await import('./rerun-recorded.ts');
      settle(await rerun(wanted, Object.fromEntries(own)));
    });
}
