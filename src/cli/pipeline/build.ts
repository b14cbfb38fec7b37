/** Declares and runs `lifehook build`, `render`, `test` and `verify`. */
import { type Command, Option } from 'commander';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';

import type { PhaseResult, PipelineSession, Rendered } from '../../lifecycles/pipeline/session.ts';
import { jsonOption } from '../shared-options.ts';
import type { Settle } from '../exit-codes.ts';
import {
  type PipelineOptions,
  withBuildOptions,
  withLabelOption,
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

export interface ReportedOptions extends PipelineOptions {
  readonly buildArtifacts?: string;
}

/** `--build-artifacts`, for verbs that do not build images. `otherwise`: the images that they use without it. */
export function buildArtifactsOption(otherwise = 'the images of the last build'): Option {
  return new Option(
    '-a, --build-artifacts <file>',
    `file with the images, from \`build --file-output\`; default: ${otherwise}`,
  );
}

/** Declares `lifehook pipeline test` and `verify`, which test built images. */
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
    .description('Run the verifications of the deployed application')
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

interface RenderOptions extends ReportedOptions {
  readonly output?: string;
}

export function addRenderCommand(parent: Command, settle: Settle): void {
  withPlatformOption(
    withLabelOption(withBuildOptions(withPipelineOptions(parent.command('render')))),
  )
    .description('Print the manifests as they would be deployed')
    .addOption(buildArtifactsOption('the image names that a build would give now'))
    .option('-o, --output <file>', 'file for the manifests')
    .action(async (options: RenderOptions) => {
      settle(await render(options));
    });
}

async function render(options: RenderOptions): Promise<number> {
  const [{ runVerb }, { driveRender }, { readReportedImages }] = await Promise.all([
    import('./run-verb.ts'),
    import('../../lifecycles/pipeline/drive/render.ts'),
    import('./reported-images.ts'),
  ]);
  const reported = await readReportedImages(options.buildArtifacts);
  return runVerb<Rendered>(options, {
    name: 'render',
    need: 'optional',
    // stdout is reserved for the manifests, and hooks may print anything (PIPE-CASE41).
    resultOnStdout: true,
    drive: (session) => driveRender(session, reported),
    finish: async ({ manifests }) => {
      const text = manifests
        .map((one) => one.text)
        .filter((one) => one.trim() !== '')
        .join('---\n');
      if (options.output === undefined) process.stdout.write(text);
      else await writeFile(options.output, text);
    },
  });
}
