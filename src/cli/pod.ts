/** `lifehook pod …`: the pod lifecycle. Declarations only. */
import type { Command } from 'commander';

import { addLintCommand } from './lint/lint-command.ts';
import type { Settle } from './settle.ts';

export function addPodCommands(program: Command, settle: Settle): void {
  const pod = program
    .command('pod')
    .description('Check the postStart and preStop hooks of pods')
    .helpCommand(false);
  addLintCommand(pod, settle);
}
