/**
 * Judges each start of a container when the node requests it from the runtime:
 *
 *  POD-W1 A run is started only once, and never while another run of the same container is alive.
 *  POD-P1 Init containers start in their order, and main containers after them.
 *  POD-P2 No container is started in a terminating pod.
 *  POD-P3 A restart follows the policy, and waits for the back-off.
 *  POD-P4 No container is started in a pod that has a final phase.
 */
import type { PodAccount, RunAccount } from './account.ts';
import { restartsByPolicy } from './policy.ts';

/** Factor that allows for a clock drift of 1 %, with reserve. SLACK_MS allows for the time that records take. */
const DRIFT = 0.98;
const SLACK_MS = 50;
/** Maximum time between the decision to start and the request to the runtime, in milliseconds. */
const PREPARING_MS = 2_100;
/** Times in the API have whole seconds. */
const SECOND_MS = 1_000;

export interface Asked {
  readonly id: string;
  readonly container: string;
  readonly restartCount: number;
}

export function judgeStart(account: PodAccount, asked: Asked): void {
  const { world, life, terminal } = account;
  const reported = life.reported.some(({ atMs }) => atMs < world.elapsedMs);
  if (reported) world.violate('POD-P2', `${asked.id} is started, and the pod terminates`);
  if (terminal !== null)
    world.violate('POD-P4', `${asked.id} is started, and the pod has ${terminal}`);
  const same = account.run(asked.id);
  if (same !== undefined && !same.refused) world.violate('POD-W1', `${asked.id} is started twice`);
  const [other] = account.alive(asked.container);
  if (other !== undefined) world.violate('POD-W1', `${asked.id} is started next to ${other.id}`);
  judgeOrder(account, asked);
  judgeRestart(account, asked);
}

function judgeOrder(account: PodAccount, asked: Asked): void {
  const { containers, world } = account;
  const begun = (name: string): boolean => account.ofContainer(name).length > 0;
  const index = containers.findIndex(({ spec }) => spec.name === asked.container);
  const initOver = containers.some(({ role, spec }) => role === 'main' && begun(spec.name));
  if (initOver) {
    if (containers[index]?.role === 'init')
      world.violate('POD-P1', `${asked.id} comes after mains`);
    return;
  }
  for (const [place, { role, spec }] of containers.slice(0, index).entries()) {
    const passed = containers.slice(place + 1).some((later) => begun(later.spec.name));
    if (role === 'main' || letsNext(account, account.latest(spec.name), passed)) continue;
    world.violate('POD-P1', `${asked.id} is started before ${spec.name} lets it`);
  }
}

function letsNext(account: PodAccount, run: RunAccount | undefined, passed: boolean): boolean {
  if (run === undefined) return false;
  if (run.role === 'init') return run.endedMs !== null && run.exitCode === 0;
  return passed || account.ofContainer(run.container).some((one) => hadStarted(account, one));
}

/**
 * True if the run had started when the present start was decided. The node gathers dependencies between the decision
 * and the start.
 */
function hadStarted(account: PodAccount, run: RunAccount): boolean {
  const probed = run.spec.startupProbe === undefined || run.startupPassed;
  const decidedMs = account.world.elapsedMs - PREPARING_MS;
  return probed && account.postStartDone(run) && (run.endedMs ?? Infinity) >= decidedMs;
}

function judgeRestart(account: PodAccount, asked: Asked): void {
  const { world, pod, containers } = account;
  const before = account.latest(asked.container);
  const container = containers.find(({ spec }) => spec.name === asked.container);
  if (before === undefined || container === undefined || account.isForgotten(before)) return;
  // After a stop by a probe, the real exit code does not count.
  const probed = before.stops.some(({ why }) => why === 'probe');
  if (!restartsByPolicy(container.role, pod, probed ? null : before.exitCode)) {
    world.violate('POD-P3', `${before.id} ended with ${before.exitCode}, and is followed by a run`);
  }
  const dueMs = dueAtMs(account, before);
  if (dueMs !== null && world.elapsedMs < dueMs) {
    world.violate(
      'POD-P3',
      `${asked.id} is started ${Math.round(dueMs - world.elapsedMs)} ms early`,
    );
  }
}

/** Simulated time at which the next run may start, in milliseconds; null if it is not known. */
function dueAtMs(account: PodAccount, before: RunAccount): number | null {
  const { lives, life, world } = account;
  const sameLife = before.endedIn === life.pid;
  if (!sameLife && world.clockSettings > 0) return null;
  const refused = account.ofContainer(before.container).some((run) => run.refused);
  if (refused && lives.length > 1) return null;
  const slackMs = SLACK_MS + (sameLife ? 0 : SECOND_MS);
  return (before.endedMs ?? 0) + before.pauseAfter * 1_000 * DRIFT - slackMs;
}

/**
 * POD-L2: every container that must restart by its policy has restarted. No clock and no fault delays a restart for
 * ever.
 */
export function judgeRestarts(account: PodAccount, longestPauseSeconds: number): void {
  const { terminal, containers, pod, world } = account;
  const { restartPolicy, activeDeadlineSeconds } = pod.spec ?? {};
  const stays = restartPolicy === 'Always' && activeDeadlineSeconds === undefined;
  if (!stays || terminal !== null) return;
  const longAgoMs = world.elapsedMs - longestPauseSeconds * 1_000;
  const waiting = containers
    .filter(({ role }) => role !== 'init')
    .map(({ spec }) => account.latest(spec.name))
    .find((run) => run !== undefined && run.endedMs !== null && run.endedMs <= longAgoMs);
  if (waiting === undefined) return;
  world.violate('POD-L2', `${waiting.id} has ended, and is never started again`);
}
