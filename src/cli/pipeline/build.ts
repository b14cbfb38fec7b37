import type { Command } from 'commander';
import process from 'node:process';

import { jsonOption } from '../shared-options.ts';
import type { Settle } from '../exit-codes.ts';
import {
  type PipelineOptions,
  withBuildOptions,
  withPipelineOptions,
  withPlatformOption,
} from './options.ts';

interface BuildOptions extends PipelineOptions {
  readonly fileOutput?: string;
  readonly output: string;
}

export function addBuildCommand(parent: Command, settle: Settle): void {
  withPlatformOption(withBuildOptions(withPipelineOptions(parent.command('build'))))
    .description('Build images, with their hooks')
    .option('--file-output <file>', 'file for the list of built images, for --build-artifacts')
    .addOption(jsonOption())
    .action(async (options: BuildOptions) => {
      settle(await build(options));
    });
}

async function build(options: BuildOptions): Promise<number> {
  const [{ runVerb }, { runBuild }, { reportedImagesText, writeReportedImages }] =
    await Promise.all([
      import('./run-verb.ts'),
      import('../../lifecycles/pipeline/build/run-build.ts'),
      import('./reported-images.ts'),
    ]);
  const { fileOutput } = options;
  return runVerb(options, {
    name: 'build',
    need: 'optional',
    resultOnStdout: options.output === 'json',
    drive: (session) => runBuild(session),
    finish: async (built) => {
      if (fileOutput !== undefined) await writeReportedImages(fileOutput, built);
      if (options.output === 'json') process.stdout.write(reportedImagesText(built));
    },
  });
}
