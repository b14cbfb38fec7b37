/** `lifehook pod …`: the pod lifecycle. Declarations only. */
import type { Command } from 'commander';

import { outputOption } from './output-option.ts';
import { parseSeconds, parseServerVersion } from './pod-lint-options.ts';
import type { PodLintOptions } from './pod-lint.ts';
import type { Settle } from './settle.ts';

export function addPodCommands(program: Command, settle: Settle): void {
  const pod = program
    .command('pod')
    .description('hooks of pods: postStart and preStop')
    .helpCommand(false);
  pod
    .command('lint')
    .description('find what is wrong, or surprising, about the lifecycle hooks in manifests')
    .argument('<file...>', 'manifests, YAML or JSON; - is standard input')
    .option(
      '--server-version <version>',
      'the oldest server that has to understand it: 1.28',
      parseServerVersion,
    )
    .option('--drain <seconds>', 'how long the programs take to end after TERM', parseSeconds)
    .addOption(outputOption())
    .action(async (files: string[], options: PodLintOptions) => {
      const { runPodLint } = await import('./pod-lint.ts');
      settle(await runPodLint(files, options));
    });
}
