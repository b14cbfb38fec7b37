import type { Command } from 'commander';

import type { Deployed, PhaseResult, PipelineSession } from '../../lifecycles/pipeline/session.ts';
import type { Settle } from '../settle.ts';
import { withBuildOptions, withDeployOptions, withPipelineOptions } from './options.ts';
import { buildArtifactsOption, type ToldOptions } from './told-option.ts';

export function addDeployCommand(parent: Command, settle: Settle): void {
  withDeployOptions(withBuildOptions(withPipelineOptions(parent.command('deploy'))))
    .description('deploy what is built already, with the hooks around it')
    .addOption(buildArtifactsOption())
    .action(async (options: ToldOptions) => {
      const [{ runVerb }, { driveDeploy }, { readToldImages }] = await Promise.all([
        import('./run-verb.ts'),
        import('../../lifecycles/pipeline/drive/deploy.ts'),
        import('./told-images.ts'),
      ]);
      const told = await readToldImages(options.buildArtifacts);
      const drive = (session: PipelineSession): Promise<PhaseResult<Deployed>> =>
        driveDeploy(session, told);
      settle(await runVerb(options, { name: 'deploy', need: 'required', drive }));
    });
}
