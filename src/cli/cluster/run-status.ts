/** `lifehook status`: checks the options, and prints the status of the local cluster or of an object. */
import type { Command } from 'commander';

import { runStatusOf } from '../by-file/status-of.ts';
import type { KubeOptions } from '../kube-connection.ts';
import { runClusterStatus } from './cluster-status.ts';
import type { ClusterChoice } from './up-command.ts';

export interface StatusOptions extends ClusterChoice, Omit<KubeOptions, 'kubeconfig'> {
  /** True: the option without a file. */
  readonly kubeconfig?: string | true;
}

export async function runStatus(
  object: string | undefined,
  { kubeconfig, ...options }: StatusOptions,
  command: Command,
): Promise<number> {
  const wrong = object === undefined ? wrongWithout(command) : wrongWith(command);
  if (wrong !== null) command.error(`error: ${wrong}`);
  if (object === undefined) {
    return runClusterStatus({ ...options, kubeconfig: kubeconfig === true });
  }
  const file = typeof kubeconfig === 'string' && { kubeconfig };
  return runStatusOf(object, { ...options, ...file });
}

/** The error if options of an object are given without an object; null: there are none. */
function wrongWithout(command: Command): string | null {
  if (typeof command.opts<StatusOptions>().kubeconfig === 'string') {
    return '--kubeconfig has a file, but there is no object. Name an object, or leave the file out.';
  }
  const option = givenOf(command, ['context', 'namespace']);
  return option === null ? null : `${option} needs an object, such as deployment/NAME.`;
}

/** The error if options of the local cluster are given together with an object; null: there are none. */
function wrongWith(command: Command): string | null {
  if (command.opts<StatusOptions>().kubeconfig === true) {
    return '--kubeconfig needs a file, if there is an object.';
  }
  const option = givenOf(command, ['cluster', 'stateDir']);
  if (option === null) return null;
  const next = 'Leave the object out, or select its cluster by --kubeconfig FILE.';
  return `${option} selects a local cluster, but there is an object. ${next}`;
}

/** The first of these options that is on the command line; null: none is. */
function givenOf(command: Command, names: readonly (keyof StatusOptions)[]): string | null {
  const name = names.find((one) => command.getOptionValueSource(one) === 'cli');
  const option = command.options.find((one) => one.attributeName() === name);
  return option?.long ?? null;
}
