/** Declares and runs `lifehook deploy`, `apply`, `delete` and `run`. */
import type { Command } from 'commander';
import { resolve } from 'node:path';

import type { Stay } from '../../lifecycles/pipeline/drive/deploy.ts';
import type { Deployed, PhaseResult, PipelineSession } from '../../lifecycles/pipeline/session.ts';
import type { Settle } from '../exit-codes.ts';
import {
  OPTION_DEFAULTS,
  type PipelineOptions,
  withBuildOptions,
  withDeployOptions,
  withLabelOption,
  withPipelineOptions,
  withPlatformOption,
  withPruneOption,
  withStayOptions,
} from './options.ts';
import { buildArtifactsOption, type ReportedOptions } from './build.ts';

export function addDeployCommand(parent: Command, settle: Settle): void {
  withLabelOption(
    withStayOptions(
      withDeployOptions(withBuildOptions(withPipelineOptions(parent.command('deploy')))),
    ),
  )
    .description('Deploy built images, and run the deployment hooks')
    .addOption(buildArtifactsOption())
    .action(async (options: ReportedOptions & Stay) => {
      const [{ runVerb }, { driveDeploy, stayOpen }, { readReportedImages }] = await Promise.all([
        import('./run-verb.ts'),
        import('../../lifecycles/pipeline/drive/deploy.ts'),
        import('./reported-images.ts'),
      ]);
      const reported = await readReportedImages(options.buildArtifacts);
      const drive = async (session: PipelineSession): Promise<PhaseResult<Deployed>> =>
        stayOpen(session, await driveDeploy(session, reported), options);
      settle(await runVerb(options, { name: 'deploy', need: 'required', drive }));
    });
}

export function addApplyCommand(parent: Command, settle: Settle): void {
  withStayOptions(withDeployOptions(withLabelOption(withPipelineOptions(parent.command('apply')))))
    .description('Apply rendered manifests, with the hooks of the deployment')
    .argument('<path...>', 'files, directories or globs of manifests')
    .addHelpText('after', '\nNothing is deleted: what an earlier deployment has created stays.')
    .action(async (paths: string[], given: Partial<PipelineOptions> & Stay) => {
      const [{ runVerb }, { driveApply, stayOpen }] = await Promise.all([
        import('./run-verb.ts'),
        import('../../lifecycles/pipeline/drive/deploy.ts'),
      ]);
      const patterns = paths.map((path) => resolve(path));
      const drive = async (session: PipelineSession): Promise<PhaseResult<Deployed>> =>
        stayOpen(session, await driveApply(session, patterns), given);
      const options = { ...OPTION_DEFAULTS, ...given };
      settle(await runVerb(options, { name: 'apply', need: 'required', drive }));
    });
}

export function addDeleteCommand(parent: Command, settle: Settle): void {
  withPipelineOptions(parent.command('delete'))
    .description('Delete the objects that this project deployed, with the hooks')
    .action(async (given: Partial<PipelineOptions>) => {
      const [{ runVerb }, { driveDelete }] = await Promise.all([
        import('./run-verb.ts'),
        import('../../lifecycles/pipeline/drive/deploy.ts'),
      ]);
      const options = { ...OPTION_DEFAULTS, ...given };
      settle(await runVerb(options, { name: 'delete', need: 'required', drive: driveDelete }));
    });
}

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
    .action(async (options: PipelineOptions & Stay) => {
      const [{ runVerb }, { driveRun, stayOpen }] = await Promise.all([
        import('./run-verb.ts'),
        import('../../lifecycles/pipeline/drive/deploy.ts'),
      ]);
      const drive = async (session: PipelineSession): Promise<PhaseResult<Deployed>> =>
        stayOpen(session, await driveRun(session), options);
      settle(await runVerb(options, { name: 'run', need: 'required', drive }));
    });
}
