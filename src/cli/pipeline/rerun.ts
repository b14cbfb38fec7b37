/** `lifehook pipeline rerun`: runs one hook again, as the message of its failure suggests. */
import type { Command } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { type PipelineOptions, withPipelineOptions } from './options.ts';

export function addRerunCommand(parent: Command, settle: Settle): void {
  withPipelineOptions(parent.command('rerun'))
    .description('Run one hook again with its recorded variables')
    .argument('<id or address>', 'id of a run, or address of a hook, which means its last run')
    .addHelpText(
      'after',
      '\nOptions are those of the recorded run where they are not given. Secrets come from the environment.',
    )
    .action(async (wanted: string, given: Partial<PipelineOptions>, command: Command) => {
      const isGiven = (name: string): boolean => command.getOptionValueSource(name) !== 'default';
      const own = Object.entries(given).filter(([name]) => isGiven(name));
      const { rerun } = await import('./rerun-recorded.ts');
      settle(await rerun(wanted, Object.fromEntries(own)));
    });
}
