import type { Command } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { OPTION_DEFAULTS, type PipelineOptions, withPipelineOptions } from './options.ts';

export function addDeleteCommand(parent: Command, settle: Settle): void {
  withPipelineOptions(parent.command('delete'))
    .description('Delete what was deployed from here, with its hooks')
    .action(async (given: Partial<PipelineOptions>) => {
      const [{ runVerb }, { driveDelete }] = await Promise.all([
        import('./run-verb.ts'),
        import('../../lifecycles/pipeline/drive/delete.ts'),
      ]);
      const options = { ...OPTION_DEFAULTS, ...given };
      settle(await runVerb(options, { name: 'delete', need: 'required', drive: driveDelete }));
    });
}
