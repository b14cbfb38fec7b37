/** The commands around the shim, declared: its index, and what its runners recorded. */
import { InvalidArgumentError, type Command } from 'commander';
import { SETTINGS_PATH } from '../lifecycles/container/shim/runtime-settings.ts';
import type { IndexCommandOptions } from './oci-index.ts';
import type { RecordsCommandOptions } from './oci-records.ts';
import { listOutputOption } from './output-option.ts';
import type { Settle } from './settle.ts';

const RECORDS_DEFAULT = '50';

export function addShimCommands(oci: Command, settle: Settle): void {
  oci
    .command('index')
    .description('Build the index of the hook directories for lifehook-runtime')
    .option('--config <file>', `the settings of lifehook-runtime (without it: ${SETTINGS_PATH})`)
    .option('--watch', 'go on: follow the folders, keep the index up to date, tell what goes wrong')
    .action(async (options: IndexCommandOptions) => {
      const { runOciIndex } = await import('./oci-index.ts');
      settle(await runOciIndex(options));
    });
  oci
    .command('records')
    .description('List what hooks did, newest first, also of removed containers')
    .option('--root <folder>', 'where containers and records are kept')
    .option(
      '--spool <folder>',
      'where lifehook-runtime puts records, if its settings name another place',
    )
    .option('--limit <number>', 'how many at most', wholeNumber, RECORDS_DEFAULT)
    .addOption(listOutputOption())
    .action(async (options: RecordsCommandOptions) => {
      const { runOciRecords } = await import('./oci-records.ts');
      settle(await runOciRecords(options));
    });
}

function wholeNumber(text: string): string {
  if (/^[1-9]\d{0,5}$/.test(text)) return text;
  throw new InvalidArgumentError('It has to be a whole number from 1 to 999999.');
}
