/**
 * Judges a command on a machine without faults, on a container that no other command uses at the same time:
 *
 *  OCI-D4 A command is refused, and changes nothing, if the container is in a wrong status for it.
 *  OCI-CASE30 If the plan only warns about failed poststart hooks, the container stays.
 *  OCI-D5 `run` reports the exit of its program, and leaves no container.
 */
import type { ExitRecord } from '../../../src/lifecycles/container/life/container.ts';
import { type Account, type Creation, describeExit, endedWell, findRun } from './account.ts';
import type { Command, Verb } from './commands.ts';

/** State of the container with the command's id when the command began. */
export interface Begun {
  readonly status: 'none' | 'created' | 'running' | 'stopped' | 'other';
  isAlone: boolean;
}

export function beginningOf(account: Account, id: string): Begun {
  const creation = account.current.get(id);
  if (creation === undefined || creation.deleted) return { status: 'none', isAlone: true };
  return { status: statusOf(creation), isAlone: true };
}

function statusOf({ phase, held }: Creation): Begun['status'] {
  const isAlive = held?.alive === true;
  if (phase === 'created') return isAlive ? 'created' : 'stopped';
  if (phase === 'running') return isAlive ? 'running' : 'stopped';
  return 'other';
}

const WRONG_STATUS = 'LHC214';
/** Statuses of the container in which a command must be refused. */
const REFUSED: Partial<Readonly<Record<Verb, readonly Begun['status'][]>>> = {
  start: ['running', 'stopped'],
  stop: ['stopped'],
  kill: ['stopped'],
  delete: ['created', 'running'],
};

export function judgeOutcome(account: Account, command: Command, begun: Begun): void {
  const { verb, outcome } = command;
  if (outcome === null || !account.isCalm()) return;
  if (verb === 'start' && outcome === 'failed') judgeFailedStart(account, command);
  if (!begun.isAlone) return;
  judgeRefusal(account, command, begun);
  if (verb === 'run') judgeLeft(account, command);
}

function judgeRefusal(account: Account, { verb, id, outcome }: Command, { status }: Begun): void {
  const refused = REFUSED[verb];
  if (refused === undefined || status === 'none' || status === 'other') return;
  const isRefused = outcome === WRONG_STATUS;
  const mayEndMeanwhile =
    status === 'running' && !(verb === 'start' || isKilledBy(account, verb, id));
  account.require(isRefused === refused.includes(status) || mayEndMeanwhile, 'OCI-D4', () => {
    return `${verb} of ${id}, which is ${status}, ends with ${outcome}`;
  });
}

/**
 * True if `delete` itself killed the program. Otherwise the program may have exited before the command read the
 * status.
 */
function isKilledBy({ current }: Account, verb: Verb, id: string): boolean {
  return verb === 'delete' && current.get(id)?.held?.exit?.signal === 'SIGKILL';
}

/** With the policy `warn` for poststart hooks, only a failed startContainer hook may fail a start. */
function judgeFailedStart(account: Account, { id }: Command): void {
  const creation = account.current.get(id);
  if (creation === undefined || creation.plan.poststartFailure !== 'warn') return;
  const isFailed = [...creation.plan.hooks.startContainer.keys()].some((index) => {
    const run = findRun(creation, 'startContainer', index);
    return run === undefined || !endedWell(creation, run);
  });
  account.require(isFailed, 'OCI-CASE30', () => {
    return `start of ${id} failed, and its poststart hooks only warn`;
  });
}

function judgeLeft(account: Account, { id, outcome, creation }: Command): void {
  const isLeft = creation !== null && account.current.get(id) === creation && !creation.deleted;
  account.require(
    !isLeft,
    'OCI-D5',
    () => `run ${id} ended with ${outcome} and left its container`,
  );
}

export function judgeRunExit(account: Account, creation: Creation, exit: ExitRecord): void {
  const { code, signal } = creation.held?.exit ?? { code: null, signal: null };
  const isTrue = exit.exitCode === code && exit.signal === signal;
  account.require(isTrue || !account.isCalm(), 'OCI-D5', () => {
    const reported = `${exit.exitCode ?? exit.signal}`;
    return `run ${creation.id} reports ${reported}, its program ${describeExit(creation.held?.exit ?? null)}`;
  });
}
