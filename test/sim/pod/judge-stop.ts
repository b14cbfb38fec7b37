/**
 * Judges stops at each signal, hook and exit:
 *
 *  POD-H1 A hook runs at most once in each run of a container, even if the node is killed meanwhile.
 *  POD-S1 A preStop hook runs before TERM. With a grace period of 0 it does not run.
 *  POD-S3 A stop is recorded before its first action. KILL comes after TERM, exactly when the grace period is over.
 *  POD-G2 TERM comes exactly when the preStop hook or the grace period ends, whichever is first.
 *  POD-G3 KILL comes at least two seconds after TERM.
 *  POD-G4 A deletion with a shorter grace period makes KILL come earlier.
 *  POD-P2 All containers of a deleted pod begin to stop at the same time. During the grace period, a sidecar gets
 *     TERM only after the main containers and the later sidecars have exited.
 *  POD-T3 No postStart hook begins in a terminating pod.
 */
import type { PodAccount, RunAccount, Stop, Reported } from './account.ts';
import { graceBounds, hookBounds, turnBounds } from './stop-bounds.ts';

/** Milliseconds that records and one turn of the pod worker may take. */
const SLACK_MS = 150;
/** Milliseconds within which the node must decide. */
const DECISION_MS = 300;
/** The API rounds the grace period to whole seconds, so the rest of it may be one second longer. */
const ROUNDING_MS = 1_000;
/** Maximum number of tries of a postStart request. */
const HTTP_TRIES = 5;

export function judgeStopBegins(account: PodAccount, run: RunAccount, why: Stop['why']): void {
  const { world, life } = account;
  world.note(`${run.id} is to stop`);
  const { elapsedMs: beganMs, clockSettings } = world;
  const { pid, reported } = life;
  run.stops.push({ life: pid, beganMs, reportedBefore: reported.length, clockSettings, why });
}

/** Judges whether the containers stop in time after the node has received a deletion. */
export function expectStops(account: PodAccount): void {
  const { world, life } = account;
  const running = account.alive();
  world.after(DECISION_MS, () => {
    const late = running.find((run) => run.endedMs === null && present(account, run) === undefined);
    if (!life.alive || late === undefined) return;
    world.violate('POD-P2', `${late.id} does not begin to stop with its pod`);
  });
}

export function judgeHookBegins(account: PodAccount, run: RunAccount, point: string): void {
  const { world, life } = account;
  const calls = run.calls.filter((call) => call.point === point);
  const retried = point === 'postStart' && run.spec.lifecycle?.postStart?.httpGet !== undefined;
  const unseen = calls.some((call) => call.life !== life.pid && call.endedMs === null);
  if (unseen || calls.length >= (retried ? HTTP_TRIES : 1)) {
    world.violate('POD-H1', `${point} of ${run.id} runs again`);
  }
  const reported = life.reported.filter(({ atMs }) => atMs < world.elapsedMs - SLACK_MS);
  if (point === 'preStop') judgePreStop(account, run, reported);
  else if (reported.length > 0)
    world.violate('POD-T3', `${run.id} has postStart, and the pod terminates`);
}

function judgePreStop(account: PodAccount, run: RunAccount, reported: readonly Reported[]): void {
  const { world, life } = account;
  if (present(account, run) === undefined)
    world.violate('POD-S3', `${run.id} has no reason to stop`);
  if (run.terms.some((term) => term.life === life.pid)) {
    world.violate('POD-S1', `preStop of ${run.id} comes after TERM`);
  }
  if (reported.some(({ graceSeconds }) => graceSeconds === 0)) {
    world.violate('POD-S1', `preStop of ${run.id} runs by force`);
  }
}

export function judgeTerm(account: PodAccount, run: RunAccount): void {
  const { world, life } = account;
  const stop = present(account, run);
  run.terms.push({ atMs: world.elapsedMs, life: life.pid });
  if (stop === undefined) {
    world.violate('POD-S3', `${run.id} gets TERM without a reason`);
    return;
  }
  const hook = hookBounds(account, run, stop);
  const turn = turnBounds(account, run, stop);
  const grace = graceBounds(account, run, stop);
  if (world.elapsedMs < Math.min(turn.fromMs, grace.fromMs - SLACK_MS)) {
    world.violate('POD-P2', `${run.id} gets TERM before its turn`);
  }
  const fromMs = Math.min(hook.fromMs, grace.fromMs) - SLACK_MS;
  const readyMs = Math.max(hook.toMs, turn.toMs);
  const toMs = Math.max(stop.beganMs, Math.min(readyMs, grace.toMs)) + SLACK_MS;
  judgeTime(account, { invariant: 'POD-G2', what: `TERM of ${run.id}`, fromMs, toMs });
}

export function judgeKill(account: PodAccount, run: RunAccount): void {
  const { world, life } = account;
  const stop = present(account, run);
  const term = run.terms.findLast((one) => one.life === life.pid);
  if (stop === undefined || term === undefined) {
    world.violate('POD-S3', `${run.id} gets KILL without TERM`);
    return;
  }
  const what = `KILL of ${run.id}`;
  const toMs = Infinity;
  judgeTime(account, { invariant: 'POD-G3', what, fromMs: term.atMs + 2_000 - 1, toMs });
  const { fromMs } = graceBounds(account, run, stop);
  judgeTime(account, { invariant: 'POD-S3', what, fromMs: fromMs - SLACK_MS, toMs });
}

/** Judges the time of the exit, if the same life of the node has decided the stop and sent TERM. */
export function judgeEnd(account: PodAccount, run: RunAccount): void {
  const { life } = account;
  const stop = present(account, run);
  const term = run.terms.findLast((one) => one.life === life.pid);
  if (stop === undefined || term === undefined || !life.alive) return;
  const grace = graceBounds(account, run, stop);
  const toMs = Math.max(term.atMs + 2_000, grace.toMs + ROUNDING_MS) + SLACK_MS;
  const invariant = life.reported.length > 1 ? 'POD-G4' : 'POD-S3';
  judgeTime(account, { invariant, what: `the end of ${run.id}`, fromMs: 0, toMs });
}

function present({ life }: PodAccount, run: RunAccount): Stop | undefined {
  return run.stops.findLast((stop) => stop.life === life.pid);
}

function judgeTime(
  { world }: PodAccount,
  judged: { invariant: string; what: string; fromMs: number; toMs: number },
): void {
  const { invariant, what, fromMs, toMs } = judged;
  const nowMs = world.elapsedMs;
  if (nowMs < fromMs) world.violate(invariant, `${what} is ${Math.ceil(fromMs - nowMs)} ms early`);
  if (nowMs > toMs) world.violate(invariant, `${what} is ${Math.ceil(nowMs - toMs)} ms late`);
}
