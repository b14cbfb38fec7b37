/** Judges a hook or a program of a container when it begins, and a hook when it has ended. */
import type { Point } from '../../../src/lifecycles/container/life/container.ts';
import {
  type Account,
  type Creation,
  describeExit,
  endedWell,
  findRun,
  type HookRun,
  ROOT,
} from './account.ts';
import { judgeCancelled } from './judge-cancel.ts';
import { judgeSurroundings } from './judge-given.ts';
import { judgeRunner } from './judge-runner.ts';
import { POINTS } from './plan.ts';

const STATUS: Readonly<Record<Point, string>> = {
  precreate: '',
  prestart: 'creating',
  createRuntime: 'creating',
  createContainer: 'creating',
  startContainer: 'created',
  poststart: 'running',
  postexit: 'stopped',
  poststop: 'stopped',
};

export function judgeHook(account: Account, creation: Creation, run: HookRun): void {
  const name = nameOf(creation, run);
  for (const other of creation.hooks) {
    const isSame = other.point === run.point && other.index === run.index;
    account.require(!isSame, 'OCI-O2', () => `${name} was started a second time`);
    const isApart = other.endedMs !== null || mayRunNextTo(run.point, other.point);
    account.require(isApart, 'OCI-O3', () => `${name} began while ${nameOf(creation, other)} ran`);
  }
  judgeRunner(account, name, run.process);
  judgeCancelled(account, { name, point: run.point }, run.process);
  judgeIntent(account, creation, run);
  judgeGiven(account, creation, run);
  judgeSurroundings(account, creation, { run, name });
  if (run.point === 'postexit') judgePostexit(account, creation, run);
  else if (run.point === 'poststop') judgePoststop(account, creation, run);
  else judgeWay(account, creation, run);
}

export function nameOf(
  { id, n }: Creation,
  { point, index }: Pick<HookRun, 'point' | 'index'>,
): string {
  return `${point} hook #${index} of ${id} (${n})`;
}

function mayRunNextTo(one: Point, other: Point): boolean {
  const both = [one, other];
  return both.includes('postexit') && both.includes('poststart');
}

/** ENG-E1: the intent of the attempt is durable. */
function judgeIntent(account: Account, creation: Creation, run: HookRun): void {
  const folder = run.point === 'postexit' ? 'postexit' : 'hooks';
  const file = account.host.tree.find(`${ROOT}/${creation.id}/${folder}/journal.jsonl`);
  const durable = file?.kind === 'file' ? file.durable : '';
  if (durable.includes(`"step":"${run.point} hook #${run.index}","attempt":1}`)) return;
  account.world.violate('ENG-E1', `${nameOf(creation, run)} began before its intent was durable`);
}

/** OCI-O5: the hook's environment and state JSON are right. */
function judgeGiven(account: Account, creation: Creation, run: HookRun): void {
  const { process, point } = run;
  const { env, stdin } = process;
  const name = nameOf(creation, run);
  const isClean = env['HOST_SECRET'] === undefined;
  account.require(isClean, 'OCI-O5', () => `${name} has the environment of the host`);
  account.require(
    env['LIFEHOOK_STAGE'] === point,
    'OCI-O5',
    () => `${name} is given another stage`,
  );
  if (point === 'precreate') return;
  const state = JSON.parse(stdin) as { id: string; status: string; pid?: number };
  // The process of a stopped container has exited, so the state JSON has no pid.
  const pid = STATUS[point] === 'stopped' ? undefined : creation.held?.pid;
  const isTrue = state.id === creation.id && state.status === STATUS[point] && state.pid === pid;
  account.require(isTrue, 'OCI-O5', () => `${name} is given ${stdin}, and its process is ${pid}`);
}

/** OCI-O1: the hooks of all earlier points, and all earlier hooks of this point, have succeeded. */
function judgeWay(account: Account, creation: Creation, run: HookRun): void {
  const name = nameOf(creation, run);
  const { hooks, plan, releasedMs } = creation;
  for (const point of POINTS.slice(0, POINTS.indexOf(run.point) + 1)) {
    if (point === 'poststart' && plan.poststartFailure === 'warn') continue;
    const upTo = point === run.point ? run.index : plan.hooks[point].length;
    judgeEnded(account, creation, { point, upTo, name });
  }
  const isAfterStart = run.point === 'poststart';
  const isInTurn = (releasedMs !== null) === isAfterStart;
  account.require(
    isInTurn,
    'OCI-O1',
    () => `${name} began on the wrong side of the program's start`,
  );
  const isStopped = hooks.some(({ point }) => point === 'poststop');
  account.require(!isStopped, 'OCI-O1', () => `${name} began after poststop`);
}

interface Before {
  readonly point: Point;
  /** Number of hooks of this point that must have succeeded. */
  readonly upTo: number;
  /** Name of the hook or program that begins now, for messages. */
  readonly name: string;
}

function judgeEnded(account: Account, creation: Creation, { point, upTo, name }: Before): void {
  for (let index = 0; index < upTo; index += 1) {
    const run = findRun(creation, point, index);
    const isGood = run !== undefined && endedWell(creation, run);
    const how = run === undefined ? 'never began' : describeExit(run.process.exit);
    account.require(isGood, 'OCI-O1', () => {
      return `${name} begins, and ${nameOf(creation, { point, index })} ${how}`;
    });
  }
}

/** OCI-V2: the exit is durable before a postexit hook begins. OCI-O1: the hook begins in the right order. */
function judgePostexit(account: Account, creation: Creation, run: HookRun): void {
  const name = nameOf(creation, run);
  const { held, id, hooks } = creation;
  // After this record the program may have started. No other process can find out whether it has.
  const isStarted = account.host.tree.find(`${ROOT}/${id}/started.json`) !== undefined;
  account.require(isStarted, 'OCI-O1', () => `${name} began, and the program never has`);
  account.require(held?.alive !== true, 'OCI-O1', () => `${name} began while the program ran`);
  const file = account.host.tree.find(`${ROOT}/${id}/exit.json`);
  const isRecorded = file?.kind === 'file' && file.durable !== '';
  account.require(isRecorded, 'OCI-V2', () => `${name} began before the exit was durable`);
  const isStopped = hooks.some(({ point }) => point === 'poststop');
  account.require(!isStopped, 'OCI-O1', () => `${name} began after poststop`);
  judgeExitGiven(account, creation, run);
}

/** OCI-O5: the hook receives the exit code or signal. It may receive neither if no process saw the exit. */
function judgeExitGiven(account: Account, creation: Creation, run: HookRun): void {
  const { env } = run.process;
  const { code, signal } = creation.held?.exit ?? { code: null, signal: null };
  const given = `${env['LIFEHOOK_EXIT_CODE']}/${env['LIFEHOOK_EXIT_SIGNAL']}`;
  const isUnseen = given === '/' && creation.disturbed;
  const isTrue = given === `${code ?? ''}/${signal ?? ''}` || isUnseen;
  account.require(isTrue, 'OCI-O5', () => {
    return `${nameOf(creation, run)} is given ${given} of a program that ended with ${code}/${signal}`;
  });
}

/** OCI-O4: the container's process has ended, and each earlier poststop hook was attempted. */
function judgePoststop(account: Account, creation: Creation, run: HookRun): void {
  const name = nameOf(creation, run);
  const isOver = creation.held?.alive !== true;
  account.require(isOver, 'OCI-O4', () => `${name} began while the process lived`);
  for (let index = 0; index < run.index; index += 1) {
    const hadTurn = creation.intents.has(`poststop ${index}`);
    account.require(hadTurn, 'OCI-O4', () => `${name} began without a turn of #${index}`);
  }
}

/** OCI-O1: all hooks before poststart have succeeded. OCI-D2: the start is recorded. */
export function judgeProgram(account: Account, creation: Creation): void {
  const { plan, id } = creation;
  const name = `the program of ${id}`;
  for (const point of POINTS.slice(0, POINTS.indexOf('poststart'))) {
    judgeEnded(account, creation, { point, upTo: plan.hooks[point].length, name });
  }
  const isRecorded = account.host.tree.find(`${ROOT}/${id}/started.json`) !== undefined;
  account.require(isRecorded, 'OCI-D2', () => `${name} begins, and that is not recorded`);
}

const SLACK_MS = 500;
const GRACE_MAX_MS = 2_000;

/** ENG-C2: the hook ends by its deadline, even if its command was killed. */
export function judgeHookEnd(account: Account, creation: Creation, run: HookRun): void {
  const seconds = creation.plan.hooks[run.point][run.index]?.timeout ?? null;
  if (seconds === null || run.lostRunner || run.endedMs === null) return;
  const graceMs = Math.min(GRACE_MAX_MS, (seconds * 1_000) / 4);
  const tookMs = run.endedMs - run.beganMs;
  account.require(tookMs <= seconds * 1_000 + graceMs + SLACK_MS, 'ENG-C2', () => {
    return `${nameOf(creation, run)} ran for ${tookMs} ms of ${seconds} s`;
  });
}
