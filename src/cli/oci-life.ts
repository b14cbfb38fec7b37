/** `lifehook oci create|start|state|kill|delete|list`: the life of a container, command by command. */
import process from 'node:process';
import {
  createContainer,
  deleteContainer,
  startContainer,
  type LifeOutcome,
} from '../lifecycles/container/drive.ts';
import {
  killContainer,
  listContainers,
  viewContainer,
} from '../lifecycles/container/life/query.ts';
import { LifehookError } from '../model/problem.ts';
import type { Signal } from '../platform/platform.ts';
import { cancelOnSignals } from './cancel-on-signals.ts';
import {
  createOptions,
  lifeOf,
  type CreateCommandOptions,
  type LifeOptions,
} from './life-options.ts';
import { exitCodes } from './exit-codes.ts';
import { containersListing } from './containers-listing.ts';
import { printListing } from './listing.ts';
import type { ListFormat } from './output-option.ts';
import { reportProblems } from './report-problems.ts';

export async function runOciCreate(id: string, options: CreateCommandOptions): Promise<number> {
  const signal = cancelOnSignals();
  const outcome = await createContainer(lifeOf(options), {
    ...(await createOptions(id, options)),
    signal,
  });
  return settleOutcome(outcome);
}

export async function runOciStart(id: string, options: LifeOptions): Promise<number> {
  return settleOutcome(await startContainer(lifeOf(options), id, cancelOnSignals()));
}

/** Warnings were shown as they came. */
export function settleOutcome(outcome: LifeOutcome): number {
  switch (outcome.kind) {
    case 'done':
      return exitCodes.done;
    case 'failed':
      reportProblems([outcome.problem]);
      return exitCodes.hookFailed;
    case 'cancelled':
      process.stderr.write(
        'interrupted; the container was removed, its poststop hooks have run.\n',
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
      severity: 'error',
      message: `A signal is one of ${signals.join(', ')}, with or without SIG; ${JSON.stringify(name)} is none.`,
      next: 'name one of them, or leave it out for SIGTERM.',
    });
  }
  await killContainer(lifeOf(options), id, signal);
  return exitCodes.done;
}

export async function runOciDelete(
  id: string,
  options: LifeOptions & { readonly force?: boolean },
): Promise<number> {
  await deleteContainer(lifeOf(options), id, { force: options.force ?? false });
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
