/** `--hooks-dir` and `--allow-untrusted`: which hook folders a command reads, and whom it trusts. */
import { Option, type Command } from 'commander';
import { DEFAULT_HOOK_FOLDERS } from '../lifecycles/container/points.ts';

export interface FolderOptions {
  readonly hooksDir?: readonly string[];
  readonly allowUntrusted?: boolean;
}

export function addFolderOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--hooks-dir <folder>', 'a hook folder; repeat it, the last one takes precedence')
        .argParser((folder: string, before: readonly string[] | undefined) => [
          ...(before ?? []),
          folder,
        ])
        .default(undefined, DEFAULT_HOOK_FOLDERS.join(', ')),
    )
    .addOption(allowUntrustedOption());
}

export function allowUntrustedOption(): Option {
  return new Option(
    '--allow-untrusted',
    'also read files that others than you and root may write to',
  );
}
