import type { Command } from 'commander';

import type { Settle } from '../settle.ts';
import {
  type PipelineOptions,
  withBuildOptions,
  withDeployOptions,
  withPipelineOptions,
} from './options.ts';

export function addRunCommand(parent: Command, settle: Settle): void {
  withDeployOptions(withBuildOptions(withPipelineOptions(parent.command('run'))))
    .description('build, test, render and deploy, once')
    .action(async (options: PipelineOptions) => {
      const [{ runVerb }, { driveRun }] = await Promise.all([
        import('./run-verb.ts'),
        import('../../lifecycles/pipeline/drive/run.ts'),
      ]);
      settle(await runVerb(options, { name: 'run', need: 'required', drive: driveRun }));
    });
}
