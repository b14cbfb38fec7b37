import type { Command } from 'commander';

import type { Deployed, PhaseResult, PipelineSession } from '../../lifecycles/pipeline/session.ts';
import type { Settle } from '../exit-codes.ts';
import {
  type PipelineOptions,
  type StayOptions,
  withBuildOptions,
  withDeployOptions,
  withLabelOption,
  withPipelineOptions,
  withPlatformOption,
  withPruneOption,
  withStayOptions,
} from './options.ts';

export function addRunCommand(parent: Command, settle: Settle): void {
  withPruneOption(
    withPlatformOption(
      withLabelOption(
        withStayOptions(
          withDeployOptions(withBuildOptions(withPipelineOptions(parent.command('run')))),
        ),
      ),
    ),
  )
    .description('Build, test, render and deploy once')
    .action(async (options: PipelineOptions & StayOptions) => {
      const [{ runVerb }, { driveRun, stayOpen }] = await Promise.all([
        import('./run-verb.ts'),
        import('../../lifecycles/pipeline/drive/deploy.ts'),
      ]);
      const drive = async (session: PipelineSession): Promise<PhaseResult<Deployed>> => {
        const ran = await driveRun(session);
        return ran.outcome === 'Succeeded' ? stayOpen(session, ran.value.deployed, options) : ran;
      };
      settle(await runVerb(options, { name: 'run', need: 'required', drive }));
    });
}
