/** The declaration of `lifehook up`; its code is imported when it runs. */
import { type Command, InvalidArgumentError, Option } from 'commander';

import { DEFAULT_GATES, type FeatureGates, type GateName } from '../../model/feature-gates.ts';
import { nearestWord } from '../../model/nearest-word.ts';
import { shellWords } from '../../model/shell-words.ts';
import type { Settle } from '../exit-codes.ts';
import { quietOption } from '../shared-options.ts';
import type { UpOptions } from './up.ts';

export const RUNNERS = ['auto', 'process', 'runc', 'crun'] as const;

export function addUp(program: Command, settle: Settle): void {
  withCluster(program.command('up'))
    .description('Start a small Kubernetes on this machine')
    .addOption(quietOption())
    .option('--foreground', 'run in the foreground and print the log; Ctrl-C stops it')
    .addOption(
      new Option('--runner <name>', 'way to run containers; auto: as plain processes')
        .choices(RUNNERS)
        .default('auto'),
    )
    .option('--no-controllers', 'start without the kinds and the controllers of Lifehook')
    .addOption(
      new Option('--port <number>', 'port of the API server')
        .argParser(parsePort)
        .default(0, 'the last one, or any free port'),
    )
    .option(
      '--endpoint-delay <duration>',
      'delay before services use changed endpoints, as in a large cluster',
      parseDuration,
      0,
    )
    .option(
      '--apiserver-feature-gates <list>',
      'feature gates of the API server: NAME=true|false, separated by commas',
      parseGates,
    )
    .option(
      '--node-feature-gates <list>',
      'feature gates of the node: NAME=true|false, separated by commas',
      parseGates,
    )
    .addHelpText(
      'after',
      '\nExample:\n  lifehook up\n  export KUBECONFIG=$(lifehook status --kubeconfig)\n  kubectl get nodes',
    )
    .action(async (options: UpOptions) => {
      const { runUp } = await import('./up.ts');
      settle(await runUp(options));
    });
}

/** The options that select the local cluster, validated. */
export interface ClusterChoice {
  readonly cluster: string;
  readonly stateDir?: string;
}

export const DEFAULT_CLUSTER = 'local';

/**
 * The options that select the cluster, as they are appended to a command line. They begin with a space; '': the default
 * cluster.
 */
export function choiceText({ cluster, stateDir }: ClusterChoice): string {
  if (stateDir !== undefined) return ` --state-dir ${shellWords([stateDir])}`;
  return cluster === DEFAULT_CLUSTER ? '' : ` --cluster ${cluster}`;
}

export function parseClusterName(text: string): string {
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new InvalidArgumentError(
    'A cluster name must have at most 63 characters: lower-case letters, digits and "-", with a letter or digit at both ends.',
  );
}

/** Rejects an empty value, for example from an unset shell variable: it would mean the working directory. */
export function parseStateDir(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('The name of a directory must not be empty.');
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** Parses "500ms", "2s" or "1m"; returns milliseconds. */
export function parseDuration(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  if (number === undefined)
    throw new InvalidArgumentError('A duration such as 500ms, 2s or 1m is required.');
  return Math.round(Number(number) * (UNITS[unit ?? ''] ?? 1));
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535; 0 means any free port.');
}

/** Parses feature gates such as "PodLifecycleSleepAction=false,PodLifecycleSleepActionAllowZero=true". */
function parseGates(text: string): FeatureGates {
  const gates: Record<GateName, boolean> = { ...DEFAULT_GATES };
  for (const part of text.split(',').filter((entry) => entry !== '')) {
    const [name = '', ...values] = part.split('=');
    const value = values.join('=');
    if (!isGate(name)) throw new InvalidArgumentError(unknownGate(name));
    if (value !== 'true' && value !== 'false') {
      throw new InvalidArgumentError(`${name} must be true or false, not "${value}".`);
    }
    gates[name] = value === 'true';
  }
  return gates;
}

function isGate(name: string): name is GateName {
  return Object.hasOwn(DEFAULT_GATES, name);
}

function unknownGate(name: string): string {
  const known = Object.keys(DEFAULT_GATES);
  const near = nearestWord(name, known);
  const hint =
    near === null ? `The feature gates are ${known.join(', ')}.` : `Did you mean ${near}?`;
  return `There is no feature gate "${name}". ${hint}`;
}

/** Adds the options that select the local cluster to a command. */
export function withCluster(command: Command): Command {
  return command
    .option('--cluster <name>', 'Name of the local cluster', parseClusterName, DEFAULT_CLUSTER)
    .option(
      '--state-dir <directory>',
      'State directory of the local cluster; default: in the XDG state directory',
      parseStateDir,
    );
}
