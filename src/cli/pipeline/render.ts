import type { Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';

import type { Rendered } from '../../lifecycles/pipeline/session.ts';
import type { Settle } from '../exit-codes.ts';
import { buildArtifactsOption, type ReportedOptions } from './reported-option.ts';
import {
  withBuildOptions,
  withLabelOption,
  withPipelineOptions,
  withPlatformOption,
} from './options.ts';

interface RenderOptions extends ReportedOptions {
  readonly output?: string;
}

export function addRenderCommand(parent: Command, settle: Settle): void {
  withPlatformOption(
    withLabelOption(withBuildOptions(withPipelineOptions(parent.command('render')))),
  )
    .description('Print the manifests as they would be deployed')
    .addOption(buildArtifactsOption())
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
    // Hooks may print anything: stdout is reserved for the manifests (PIPE-CASE41).
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
