/** `lifehook pipeline test` and `verify`: the commands that test built images. */
import type { Command } from 'commander';

import type { PhaseResult, PipelineSession } from '../../lifecycles/pipeline/session.ts';
import type { Settle } from '../exit-codes.ts';
import { withBuildOptions, withPipelineOptions } from './options.ts';
import { buildArtifactsOption, type ReportedOptions } from './reported-option.ts';

export function addTestCommand(parent: Command, settle: Settle): void {
  withBuildOptions(withPipelineOptions(parent.command('test')))
    .description('Run the tests of images that are built already')
    .addOption(buildArtifactsOption())
    .action(async (options: ReportedOptions) => {
      const [{ runVerb }, { driveTest }, { readReportedImages }] = await Promise.all([
        import('./run-verb.ts'),
        import('../../lifecycles/pipeline/drive/render.ts'),
        import('./reported-images.ts'),
      ]);
      const reported = await readReportedImages(options.buildArtifacts);
      const drive = (session: PipelineSession): Promise<PhaseResult<null>> =>
        driveTest(session, reported);
      settle(await runVerb(options, { name: 'test', need: 'optional', drive }));
    });
}

export function addVerifyCommand(parent: Command, settle: Settle): void {
  withBuildOptions(withPipelineOptions(parent.command('verify')))
    .description('Run the verifications of what is deployed')
    .addOption(buildArtifactsOption())
    .action(async (options: ReportedOptions) => {
      const [{ runVerb }, { driveVerify }, { readReportedImages }] = await Promise.all([
        import('./run-verb.ts'),
        import('../../lifecycles/pipeline/drive/render.ts'),
        import('./reported-images.ts'),
      ]);
      const reported = await readReportedImages(options.buildArtifacts);
      const drive = (session: PipelineSession): Promise<PhaseResult<null>> =>
        driveVerify(session, reported);
      settle(await runVerb(options, { name: 'verify', need: 'required', drive }));
    });
}
