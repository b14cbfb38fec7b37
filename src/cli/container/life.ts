/**
 * `lifehook oci create|start|state|kill|delete|list`: one step of a container's life per command. `lifehook oci run`:
 * all steps in one command.
 */
import process from 'node:process';

import {
  createContainer,
  deleteContainer,
  type LifeOutcome,
  startContainer,
} from '../../lifecycles/container/drive.ts';
import {
  type BrokenView,
  type ContainerView,
  killContainer,
  listContainers,
  viewContainer,
} from '../../lifecycles/container/life/query.ts';
import { runContainer } from '../../lifecycles/container/life/run-container.ts';
import { exitCodeOf } from '../../model/exit-code.ts';
import { LifehookError } from '../../model/problem.ts';
import type { Signal } from '../../platform/platform.ts';
import { cancelOnSignals } from '../cancel-on-signals.ts';
import { exitCodes } from '../exit-codes.ts';
import {
  type CreateCommandOptions,
  createOptions,
  lifeOf,
  type LifeOptions,
  withLife,
} from './life-options.ts';
import { type Listing, printListing, toneOf } from '../listing.ts';
import { reportProblems } from '../report-problems.ts';
import type { ListFormat } from '../shared-options.ts';

export async function runOciCreate(id: string, options: CreateCommandOptions): Promise<number> {
  const signal = cancelOnSignals();
  const making = { ...(await createOptions(id, options)), signal };
  return settleOutcome(await withLife(options, (life) => createContainer(life, making)));
}

export async function runOciStart(id: string, options: LifeOptions): Promise<number> {
  const signal = cancelOnSignals();
  return settleOutcome(await withLife(options, (life) => startContainer(life, id, signal)));
}

/** Prints the problem of an outcome, and returns the exit code. The warnings of the outcome were printed before. */
export function settleOutcome(outcome: LifeOutcome): number {
  switch (outcome.kind) {
    case 'done':
      return exitCodes.done;
    case 'failed':
      reportProblems([outcome.problem]);
      return exitCodes.hookFailed;
    case 'cancelled':
      process.stderr.write(
        'interrupted; no container is left, and the poststop hooks of a created one have run.\n',
      );
      return exitCodes.interrupted;
    default:
      return outcome satisfies never;
  }
}

export async function runOciState(id: string, options: LifeOptions): Promise<number> {
  const { state } = await viewContainer(lifeOf(options), id);
  process.stdout.write(`${JSON.stringify(state, null, 2)}\n`);
  return exitCodes.done;
}

const signals: readonly Signal[] = [
  'SIGTERM',
  'SIGKILL',
  'SIGINT',
  'SIGHUP',
  'SIGQUIT',
  'SIGUSR1',
  'SIGUSR2',
];

export async function runOciKill(id: string, name: string, options: LifeOptions): Promise<number> {
  const wanted = name.toUpperCase().replace(/^(?!SIG)/, 'SIG');
  const signal = signals.find((one) => one === wanted);
  if (signal === undefined) {
    throw new LifehookError({
      code: 'LHG013',
      message: `A signal is one of ${signals.join(', ')}, with or without SIG; ${JSON.stringify(name)} is none.`,
      next: 'name one of these signals, or leave the argument out for SIGTERM.',
    });
  }
  await killContainer(lifeOf(options), id, signal);
  return exitCodes.done;
}

export async function runOciDelete(
  id: string,
  options: LifeOptions & { readonly force?: boolean },
): Promise<number> {
  const { force = false } = options;
  await withLife(options, (life) => deleteContainer(life, id, { force }));
  return exitCodes.done;
}

export async function runOciList(
  options: LifeOptions & { readonly output: ListFormat },
): Promise<number> {
  const views = await listContainers(lifeOf(options));
  printListing(containersListing(views), options.output);
  reportProblems(views.flatMap((view) => ('problem' in view ? [view.problem] : [])));
  return exitCodes.done;
}

type View = ContainerView | BrokenView;

/** The listing of the containers of `lifehook oci`. Pure. */
export function containersListing(items: readonly View[]): Listing<View> {
  return {
    items,
    nameOf: ({ state }) => state.id,
    columns: [
      { heading: 'ID', cell: ({ state }) => state.id },
      { heading: 'STATUS', cell: statusText, tone: (view) => toneOf(statusText(view)) },
      { heading: 'PID', cell: (view) => (isBroken(view) ? '' : String(view.state.pid ?? '')) },
      { heading: 'RUNNER', cell: (view) => (isBroken(view) ? '' : view.runner) },
      { heading: 'EXIT', cell: (view) => (isBroken(view) ? '' : exitText(view)) },
      { heading: 'BUNDLE', cell: (view) => (isBroken(view) ? '' : view.state.bundle) },
      {
        heading: 'PROBLEM',
        cell: (view) => (isBroken(view) ? view.problem.message : ''),
        isWide: true,
      },
    ],
  };
}

function isBroken(view: View): view is BrokenView {
  return 'problem' in view;
}

function statusText(view: View): string {
  if (isBroken(view)) return view.state.status;
  return view.interrupted ? `${view.state.status} (interrupted)` : view.state.status;
}

function exitText({ exit }: ContainerView): string {
  return exit === null ? '' : (exit.signal ?? String(exit.exitCode ?? 'unknown'));
}

/**
 * `lifehook oci run`: runs a container in the foreground, from its first hook to its last. Exits with the program's
 * exit code, as a runtime does.
 */
export async function runOciRun(id: string, options: CreateCommandOptions): Promise<number> {
  const making = await createOptions(id, options);
  const run = await withLife(options, (life) => runContainer(life, making));
  if (run.kind !== 'ended') return settleOutcome(run);
  const exitCode = exitCodeOf(run.exit);
  if (exitCode !== null) return exitCode;
  process.stderr.write(`The exit code of ${id} is unknown: ${run.exit.reason}.\n`);
  return exitCodes.failed;
}
