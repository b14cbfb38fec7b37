/** `lifehook pod …`: the pod lifecycle. Declarations only. */
import type { Command } from 'commander';

import { jsonOption } from './output-option.ts';
import { parseSeconds, parseServerVersion } from './pod-lint-options.ts';
import type { PodLintOptions } from './pod-lint.ts';
import type { Settle } from './settle.ts';

export function addPodCommands(program: Command, settle: Settle): void {
  const pod = program
    .command('pod')
    .description('Check the postStart and preStop hooks of pods')
    .helpCommand(false);
  pod
    .command('lint')
    .description('Find mistakes in the lifecycle hooks of manifests')
    .argument('<file...>', 'manifests, YAML or JSON; - is standard input')
    .option(
      '--server-version <version>',
      'the oldest server that has to understand it: 1.28',
      parseServerVersion,
    )
    .option('--drain <seconds>', 'how long the programs take to end after TERM', parseSeconds)
    .addOption(jsonOption())
    .action(async (files: string[], options: PodLintOptions) => {
      const { runPodLint } = await import('./pod-lint.ts');
      settle(await runPodLint(files, options));
    });
}
