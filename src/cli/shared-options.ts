/** Declares options that several commands share. Every start of the program loads this file. */
import { type Command, InvalidArgumentError, Option } from 'commander';

export const OUTPUT_FORMATS = ['text', 'json', 'yaml'] as const;
export const LIST_FORMATS = ['text', 'json', 'yaml', 'name', 'wide'] as const;

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
export type ListFormat = (typeof LIST_FORMATS)[number];

/** `--output` for commands that print one value. */
export function outputOption(): Option {
  return formatOption(OUTPUT_FORMATS);
}

/** `--output` for commands that print a table. */
export function listOutputOption(): Option {
  return formatOption(LIST_FORMATS);
}

/** `--output` for commands that print text or JSON. */
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

/** `--quiet`, for commands that print progress or advice besides their result. */
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

/** Adds the options that select a cluster, for commands about the whole cluster. */
export function withKubeContext(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'Kubeconfig; default: $KUBECONFIG, else ~/.kube/config')
    .option('--context <name>', 'Context of the kubeconfig; default: its current one');
}

/** `--allow-hook-host`. Its values are checked by the code that uses them. */
export function hookHostOption(): Option {
  return new Option(
    '--allow-hook-host <host...>',
    'hosts, besides the pod itself, that httpGet and tcpSocket may reach: names, *.names, IP ranges',
  ).default([], 'none');
}

export const NOTIFY_VERDICTS = ['below-required', 'all'] as const;
export const NOTIFY_SOURCE = '/lifehook';
/** The attribute `source` of CloudEvents is a URI reference. */
export const NOTIFY_SOURCE_PATTERN = '^[A-Za-z0-9_.~:/?#@!$&*+,;=%()-]*[A-Za-z0-9_/]$';

/** The options for the notifications of the controllers (docs/notifications.md). */
export function notifyOptions(): readonly Option[] {
  return [
    new Option(
      '--notify-secret <name>',
      'Secret in --namespace with the url and the secret of a receiver of notifications',
    ),
    new Option('--notify-verdicts <which>', 'verdicts to notify about')
      .choices(NOTIFY_VERDICTS)
      .default('below-required'),
    new Option('--notify-source <uri>', 'name of this installation in notifications')
      .argParser(parseSource)
      .default(NOTIFY_SOURCE),
  ];
}

function parseSource(text: string): string {
  if (new RegExp(NOTIFY_SOURCE_PATTERN, 'u').test(text)) return text;
  throw new InvalidArgumentError(
    'A URI or a path is required, such as /clusters/berlin: ASCII letters, digits and -._~:/?#@!$&()*+,;=% only, with a letter, a digit, "_" or "/" at the end.',
  );
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
