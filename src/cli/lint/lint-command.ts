/** Declares `lifehook lint` and its synonym `lifehook pod lint`. */
import { type Command, InvalidArgumentError } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { jsonOption } from '../shared-options.ts';
import type { LintOptions } from './run-lint.ts';

const MORE = `
It reads directories with their subdirectories, and needs no cluster. Objects are checked against the newest Kubernetes
that is known, or --server-version; custom kinds against their definition, if it is among the files. Exit code 1: there
are errors.

Examples:
  lifehook lint deploy hooks.d skaffold.yaml
  helm template . | lifehook lint -
  lifehook lint --output json deploy`;

export function addLintCommand(parent: Command, settle: Settle): void {
  parent
    .command('lint')
    .description('Find mistakes in manifests, hook files and pipelines')
    .argument('<path...>', 'files or directories; - is standard input')
    .option(
      '--server-version <version>',
      'oldest supported version of Kubernetes, such as 1.34',
      parseServerVersion,
    )
    .option(
      '--drain <seconds>',
      'seconds that the containers need to exit after SIGTERM',
      parseSeconds,
    )
    .option(
      '--strict',
      'treat the paths as complete: unknown kinds and unresolved names are errors',
      false,
    )
    .addOption(jsonOption())
    .addHelpText('after', MORE)
    .action(async (paths: string[], options: LintOptions) => {
      const { runLint } = await import('./run-lint.ts');
      settle(await runLint(paths, options));
    });
}

/** The minor number of a version such as "1.28" or "v1.28.3". */
function parseServerVersion(text: string): number {
  const [, minor] = /^v?1\.(\d{1,3})(?:[.+-].*)?$/.exec(text) ?? [];
  if (minor === undefined)
    throw new InvalidArgumentError('A server version such as 1.28 is required.');
  return Number(minor);
}

function parseSeconds(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A whole number of seconds is required.');
}
