import type { Command } from 'commander';

import type { Deployed, PhaseResult, PipelineSession } from '../../lifecycles/pipeline/session.ts';
import type { Settle } from '../exit-codes.ts';
import {
  type StayOptions,
  withBuildOptions,
  withDeployOptions,
  withLabelOption,
  withPipelineOptions,
  withStayOptions,
} from './options.ts';
import { buildArtifactsOption, type ReportedOptions } from './reported-option.ts';

export function addDeployCommand(parent: Command, settle: Settle): void {
  withLabelOption(
    withStayOptions(
      withDeployOptions(withBuildOptions(withPipelineOptions(parent.command('deploy')))),
    ),
  )
    .description('Deploy images that are built already, with their hooks')
    .addOption(buildArtifactsOption())
    .action(async (options: ReportedOptions & StayOptions) => {
      const [{ runVerb }, { driveDeploy, stayOpen }, { readReportedImages }] = await Promise.all([
        import('./run-verb.ts'),
        import('../../lifecycles/pipeline/drive/deploy.ts'),
        import('./reported-images.ts'),
      ]);
      const reported = await readReportedImages(options.buildArtifacts);
      const drive = async (session: PipelineSession): Promise<PhaseResult<Deployed>> => {
        const deployed = await driveDeploy(session, reported);
        return deployed.outcome === 'Succeeded'
          ? stayOpen(session, deployed.value, options)
          : deployed;
      };
      settle(await runVerb(options, { name: 'deploy', need: 'required', drive }));
    });
}
