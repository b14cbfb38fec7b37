/**
 * Judges the status of the pod at each report:
 *
 *  POD-V1 The phase only advances, and a final phase agrees with the exits.
 *  POD-V2 The time of a condition changes only when its status changes.
 *  POD-V3 A restart count never falls.
 *  POD-V4 A container is ready only if it runs, has started and passes its readiness probe.
 *  POD-T1 A container is reported as started only after its postStart hook.
 *  POD-P4 A pod has a final phase only when none of its containers runs.
 */
import type { ContainerStatus, PodStatus } from 'kubernetes-types/core/v1.js';

import type { PodAccount, RunAccount } from './account.ts';

const PHASES = ['Pending', 'Running', 'Succeeded', 'Failed'];
const TERMINAL = ['Succeeded', 'Failed'];

export function judgeStatus(account: PodAccount, status: PodStatus): void {
  const { life, world } = account;
  world.note(() => `told ${JSON.stringify(status)}`);
  world.report(() => reportStatus(status));
  const before = life.status;
  life.status = status;
  judgePhase(account, before.phase ?? 'Pending', status.phase ?? '');
  judgeConditions(account, before, status);
  for (const one of statusesOf(status)) {
    const old = statusesOf(before).find(({ name }) => name === one.name);
    if (old !== undefined && one.restartCount < old.restartCount) {
      world.violate('POD-V3', `${one.name} falls from ${old.restartCount} to ${one.restartCount}`);
    }
    const run = account.latest(one.name);
    if (run?.role === 'init') judgeInit(account, one, run);
    else judgeContainer(account, one, run);
  }
}

/** Formats a status that the node reports as a line of a story. */
function reportStatus({
  phase,
  initContainerStatuses = [],
  containerStatuses = [],
}: PodStatus): string {
  const all = [...initContainerStatuses, ...containerStatuses].map(ofContainer);
  return `status: pod: ${phase}; ${all.join(', ')}`;
}

function ofContainer({ name, state = {}, ready, restartCount }: ContainerStatus): string {
  const { waiting, terminated } = state;
  const exited = terminated === undefined ? 'running' : `exited with ${terminated.exitCode}`;
  const what = waiting === undefined ? exited : (waiting.reason ?? 'waiting');
  const again = restartCount === 0 ? '' : `, restart ${restartCount}`;
  return `${name} ${what}${ready ? ', ready' : ''}${again}`;
}

function statusesOf(status: PodStatus): ContainerStatus[] {
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
}

function judgePhase(account: PodAccount, before: string, after: string): void {
  const { world } = account;
  const back = PHASES.indexOf(after) < PHASES.indexOf(before);
  const changed = TERMINAL.includes(before) && after !== before;
  if (back || changed) world.violate('POD-V1', `${before} becomes ${after}`);
  if (!TERMINAL.includes(after)) return;
  account.terminal = after;
  const [alive] = account.alive();
  if (alive !== undefined) world.violate('POD-P4', `the pod has ${after}, and ${alive.id} runs`);
  const mains = account.containers.filter(({ role }) => role === 'main');
  const well = mains.every(({ spec }) => latestKnown(account, spec.name)?.exitCode === 0);
  if (after === 'Succeeded' && !well) world.violate('POD-V1', 'a pod that failed has Succeeded');
}

function latestKnown(account: PodAccount, name: string): RunAccount | undefined {
  return account.ofContainer(name).findLast((run) => !account.isForgotten(run));
}

function judgeConditions({ world }: PodAccount, before: PodStatus, after: PodStatus): void {
  for (const { type, status, lastTransitionTime } of after.conditions ?? []) {
    const old = before.conditions?.find((condition) => condition.type === type);
    if (old?.status !== status || old.lastTransitionTime === lastTransitionTime) continue;
    world.violate('POD-V2', `${type} is ${status} as before, since ${String(lastTransitionTime)}`);
  }
}

function judgeInit({ world }: PodAccount, { name, ready }: ContainerStatus, run: RunAccount): void {
  const well = run.endedMs !== null && run.exitCode === 0;
  if (ready && !well) world.violate('POD-V4', `${name} is ready, and has not ended well`);
}

function judgeContainer(
  account: PodAccount,
  { name, ready, started = false }: ContainerStatus,
  run: RunAccount | undefined,
): void {
  const { world } = account;
  if (!ready && !started) return;
  // The node reports an exit only in its next turn.
  if (run?.endedMs === world.elapsedMs) return;
  if (run === undefined || run.endedMs !== null) {
    world.violate('POD-V4', `${name} is reported to run, and does not`);
    return;
  }
  if (!account.postStartDone(run)) {
    world.violate('POD-T1', `${run.id} has started before its postStart hook is over`);
  }
  if (ready) judgeReady(account, run);
}

function judgeReady({ world, life }: PodAccount, run: RunAccount): void {
  const passes = (kind: 'startup' | 'readiness'): boolean =>
    run.spec[`${kind}Probe`] === undefined || run.rows.get(`${life.pid}/${kind}`)?.verdict === true;
  if (!passes('startup') || !passes('readiness')) {
    world.violate('POD-V4', `${run.id} is ready, and its probes do not say so`);
  }
}

/** Restart counts in the status, keyed by container. A container that has neither ended nor restarted is missing. */
export function knownCountsIn(status: PodStatus): ReadonlyMap<string, number> {
  return new Map(
    statusesOf(status).flatMap(({ name, restartCount, state, lastState }) => {
      const ended = state?.terminated !== undefined || lastState?.terminated !== undefined;
      return ended || restartCount > 0 ? [[name, restartCount] as const] : [];
    }),
  );
}
