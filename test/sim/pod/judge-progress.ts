/**
 * Judges that a node acts in time, unless its process is killed, its clock is set or the pod terminates meanwhile:
 *
 *  POD-L2 A container that must restart by its policy starts when its back-off is over.
 *  POD-L4 A pod in a terminal state is reported as Succeeded or Failed.
 *  POD-L5 A start that failed because of a missing object is retried after a few seconds.
 */
import type { PodAccount, RunAccount, Stop } from './account.ts';
import { restartsByPolicy } from './policy.ts';

/** Factor for a clock drift of 1 %, and for a stop that must end first. */
const DRIFT = 1.02;
const START_MS = 3_000;
/** Milliseconds between two tries of a start, with some reserve. */
const RETRY_MS = 7_000;
/** Maximum time that sidecars need to exit after the main containers, in milliseconds. */
const ENDING_MS = 50_000;

export function expectNext(account: PodAccount, run: RunAccount): void {
  if (continues(account, run)) {
    expectStart(account, run.container, {
      withinMs: longestPause(account, run) * 1_000 * DRIFT + START_MS,
      invariant: 'POD-L2',
      what: `${run.id} has ended, and is not started again`,
    });
    return;
  }
  if (!hasEnded(account, (one) => isOver(account, one))) return;
  const { world, life } = account;
  world.after(ENDING_MS, () => {
    const isReported = life.reported.length > 0 || account.terminal !== null;
    if (life.alive && !isReported)
      world.violate('POD-L4', 'the pod has ended for good, and that is not reported');
  });
}

/**
 * Back-off in seconds. A restarted node may not know that a probe ended the first run, and then uses the next longer
 * back-off.
 */
function longestPause({ lives }: PodAccount, { pauseAfter }: RunAccount): number {
  if (lives.length === 1) return pauseAfter;
  return pauseAfter === 0 ? 10 : Math.min(300, 2 * pauseAfter);
}

export function expectRetry(account: PodAccount, container: string): void {
  const what = `the start of ${container} has failed, and is not retried`;
  expectStart(account, container, { withinMs: RETRY_MS, invariant: 'POD-L5', what });
}

interface ExpectedStart {
  readonly withinMs: number;
  readonly invariant: string;
  readonly what: string;
}

function expectStart(account: PodAccount, container: string, expected: ExpectedStart): void {
  const { world, life, pod } = account;
  const { elapsedMs: sinceMs, clockSettings } = world;
  world.after(expected.withinMs, () => {
    const isDisturbed = !life.alive || world.clockSettings !== clockSettings;
    const mayEnd = life.reported.length > 0 || pod.spec?.activeDeadlineSeconds !== undefined;
    if (isDisturbed || mayEnd || account.terminal !== null || mayHaveEnded(account)) return;
    if (waitsForEarlier(account, container)) return;
    const isTried = account.pending.some(
      (start) => start.container === container && start.beganMs >= sinceMs,
    );
    if (!isTried) world.violate(expected.invariant, expected.what);
  });
}

/** True if the container still waits for a sidecar before it. Once a main container has started, no container waits. */
function waitsForEarlier(account: PodAccount, container: string): boolean {
  const { containers } = account;
  if (
    containers.some(({ role, spec }) => role === 'main' && account.latest(spec.name) !== undefined)
  )
    return false;
  const place = containers.findIndex(({ spec }) => spec.name === container);
  return containers.slice(0, place).some(({ role, spec }) => {
    const run = account.latest(spec.name);
    const isUp = run !== undefined && run.endedMs === null && run.stops.length === 0;
    const hasStarted = isUp && (spec.startupProbe === undefined || run.startupPassed);
    return role === 'sidecar' && !(hasStarted && account.postStartDone(run));
  });
}

/**
 * Exit codes by which a node may decide about the restart; none while the container runs. null stands for a stop by a
 * probe, which counts as a failure. If the node was killed after such a stop, it may know only the real exit code;
 * while the container still runs, the stop is lost with the node, as with a kubelet.
 */
function readings(
  { life }: PodAccount,
  { stops, endedMs, exitCode }: RunAccount,
): readonly (number | null)[] {
  const probe = stops.findLast(isByProbe);
  if (probe === undefined) return endedMs === null ? [] : [exitCode];
  if (probe.life === life.pid) return [null];
  return endedMs === null ? [] : [null, exitCode];
}

/**
 * True if a failed probe caused the stop. If that container is the last main one and is not restarted, the whole pod
 * stops, and the event names the pod as the cause. Such a stop differs from a deletion in `reportedBefore`: the node had
 * received no deletion.
 */
function isByProbe({ why, reportedBefore }: Stop): boolean {
  return why === 'probe' || (why === 'pod' && reportedBefore === 0);
}

/** True if the run is alive, or must be restarted under every interpretation of its exit. */
function continues(account: PodAccount, run: RunAccount): boolean {
  return readings(account, run).every((code) => restartsByPolicy(run.role, account.pod, code));
}

/** True if the run must not be restarted under any interpretation of its exit. */
function isOver(account: PodAccount, run: RunAccount): boolean {
  const codes = readings(account, run);
  return codes.length > 0 && codes.every((code) => !restartsByPolicy(run.role, account.pod, code));
}

/** True if the pod is in a terminal state. `isEnd` decides whether the latest run of a container is final. */
function hasEnded(account: PodAccount, isEnd: (run: RunAccount) => boolean): boolean {
  const latest = account.containers.map(({ spec }) => account.latest(spec.name));
  const over = latest.filter((run) => run !== undefined).filter((run) => isEnd(run));
  const mains = account.containers.filter(({ role }) => role === 'main').length;
  const isFailed = over.some(({ role, exitCode }) => role === 'init' && exitCode !== 0);
  return isFailed || over.filter(({ role }) => role === 'main').length === mains;
}

/** True if the exits have some interpretation by which the pod is in a terminal state. */
export function mayHaveEnded(account: PodAccount): boolean {
  return hasEnded(account, (run) => !continues(account, run));
}
