/**
 * `lifehook status`: checks the options, and prints the status of the local cluster. For an object it runs the status
 * command of the object's lifecycle.
 */
import type { Command } from 'commander';
import process from 'node:process';

import { GROUP } from '../../model/api-version.ts';
import { LifehookError } from '../../model/problem.ts';
import { exitCodes } from '../exit-codes.ts';
import type { KubeOptions } from '../kube-connection.ts';
import { statuses } from '../lifecycles.ts';
import { timelineLink } from '../ui/timeline-link.ts';
import { readRunning, stateFolderOf } from './cluster-state.ts';
import { choiceText, type ClusterChoice } from './up-command.ts';

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

/** Reports whether the local cluster runs, and its addresses. */
export async function runClusterStatus(
  options: ClusterChoice & { readonly kubeconfig?: boolean },
): Promise<number> {
  const folder = stateFolderOf(options);
  const running = await readRunning(folder);
  if (running === null || running.isStopping === true) {
    const start = `lifehook up${choiceText(options)}`;
    const state = running === null ? 'not up. Start it' : 'stopping. Start it again';
    process.stderr.write(`The cluster "${options.cluster}" is ${state} with: ${start}\n`);
    return exitCodes.failed;
  }
  if (options.kubeconfig === true) {
    process.stdout.write(`${running.kubeconfig}\n`);
    return exitCodes.done;
  }
  const timeline = await timelineLink(folder, running);
  process.stdout.write(`The cluster "${options.cluster}" is up since ${running.startedAt}.
  API server  ${running.server}
  kubeconfig  ${running.kubeconfig}
  process     ${running.process.pid}
  state       ${folder}
${timeline === null ? '' : `  timeline    ${timeline}\n`}`);
  return exitCodes.done;
}

/** KIND/NAME, KIND.GROUP/NAME or KIND.VERSION.GROUP/NAME. */
const OBJECT = /^(?<kind>[a-z]+)(?:(?:\.v\d\w*)?\.(?<group>[a-z][a-z\d.-]*))?\/(?<name>[^/]+)$/;
const OF_ROLLOUTS = ['deployment', 'deployments', 'deploy'];
const OF_SNAPSHOTS = ['applicationsnapshot', 'applicationsnapshots', 'appsnap'];

/** @throws LifehookError LHG069 if no lifecycle has a status of the object. */
async function runStatusOf(object: string, options: KubeOptions): Promise<number> {
  const found = lifecycleOf(object);
  const part = await statuses[found.lifecycle]?.();
  if (part === undefined) throw unknownObject(object);
  return part.runStatus(found.name, { ...options, output: 'text' });
}

interface StatusObject {
  readonly lifecycle: 'rollout' | 'snapshot';
  readonly name: string;
}

/**
 * Determines the lifecycle of an object in a `lifehook status` argument. Pure. Throws the same error as `runStatusOf`.
 */
export function lifecycleOf(object: string): StatusObject {
  const { kind = '', group, name = '' } = OBJECT.exec(object.toLowerCase())?.groups ?? {};
  const isOf = (kinds: readonly string[], own: string): boolean =>
    kinds.includes(kind) && (group ?? own) === own;
  if (isOf(OF_ROLLOUTS, 'apps')) return { lifecycle: 'rollout', name };
  if (isOf(OF_SNAPSHOTS, GROUP)) return { lifecycle: 'snapshot', name };
  throw unknownObject(object);
}

function unknownObject(object: string): LifehookError {
  return new LifehookError({
    code: 'LHG069',
    message: `An object is deployment/NAME or applicationsnapshot/NAME; received ${JSON.stringify(object)}.`,
    next: 'Name such an object, or leave the argument out for the local cluster.',
  });
}
