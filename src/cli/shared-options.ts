/** Options that several commands share: declarations only, which every start of the program loads. */
import { type Command, InvalidArgumentError, Option } from 'commander';

export const OUTPUT_FORMATS = ['text', 'json', 'yaml'] as const;
export const LIST_FORMATS = ['text', 'json', 'yaml', 'name', 'wide'] as const;

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
export type ListFormat = (typeof LIST_FORMATS)[number];

/** For commands that print one value. */
export function outputOption(): Option {
  return formatOption(OUTPUT_FORMATS);
}

/** For commands that print a table. */
export function listOutputOption(): Option {
  return formatOption(LIST_FORMATS);
}

/** For commands that print text or JSON. */
export function jsonOption(): Option {
  return formatOption(['text', 'json']);
}

function formatOption(formats: readonly string[]): Option {
  return new Option('-o, --output <format>', 'Format of the output')
    .choices(formats)
    .default('text');
}

export interface QuietOptions {
  readonly quiet?: boolean;
}

/** For commands that print progress or advice besides their result. */
export function quietOption(): Option {
  return new Option('-q, --quiet', 'Print errors and the result only');
}

/** The options that `connectToKube` reads. */
export function withKubeOptions(command: Command): Command {
  return withKubeContext(command).option(
    '-n, --namespace <name>',
    'Namespace; default: the one of the context',
  );
}

/** For commands about the whole cluster. */
export function withKubeContext(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'Kubeconfig; default: $KUBECONFIG, else ~/.kube/config')
    .option('--context <name>', 'Context of the kubeconfig; default: its current one');
}

/** `--allow-hook-host`; its values are checked where they are used. */
export function hookHostOption(): Option {
  return new Option(
    '--allow-hook-host <host...>',
    'hosts besides the hooked pod for httpGet and tcpSocket: names, *.names, ranges',
  ).default([], 'none');
}

const LONGEST_SECONDS = 86_400;

export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_SECONDS) {
    throw new InvalidArgumentError(
      `A whole number of seconds from 1 to ${LONGEST_SECONDS} is required.`,
    );
  }
  return seconds;
}
