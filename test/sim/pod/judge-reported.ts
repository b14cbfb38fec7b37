/**
 * Judges the truth of each report:
 *
 *  POD-V1 A pod is Succeeded if all its containers have succeeded. It has no final phase while one must restart.
 *  POD-V7 The reported exit code and restart count of a run are its own.
 *  POD-V8 The conditions follow from the containers and the readiness gates. Foreign conditions stay unchanged.
 */
import type {
  ContainerStateTerminated,
  ContainerStatus,
  PodStatus,
} from 'kubernetes-types/core/v1.js';

import type { PodAccount } from './account.ts';
import { mayHaveEnded } from './judge-progress.ts';

export function judgeReported(account: PodAccount, status: PodStatus, stored: PodStatus): void {
  const { initContainerStatuses = [], containerStatuses = [] } = status;
  for (const reported of [...initContainerStatuses, ...containerStatuses])
    judgeRun(account, reported);
  judgeConditions(account, status);
  judgeForeign(account, status, stored);
  judgeGates(account, status);
  if (status.phase === 'Failed') judgeFailed(account);
  judgeEnded(account, status.phase);
}

function judgeRun(account: PodAccount, reported: ContainerStatus): void {
  for (const state of [reported.state, reported.lastState])
    judgeExitCode(account, state?.terminated);
  const run = runOf(account, reported.containerID);
  if (run === undefined || run.count === reported.restartCount) return;
  account.world.violate('POD-V7', `${run.id} is reported as restart ${reported.restartCount}`);
}

function judgeExitCode(account: PodAccount, reported: ContainerStateTerminated | undefined): void {
  const run = runOf(account, reported?.containerID);
  if (run === undefined || run.endedMs === null || reported?.exitCode === run.exitCode) return;
  const { exitCode } = run;
  account.world.violate(
    'POD-V7',
    `${run.id} exited with ${exitCode}, reported as ${reported?.exitCode}`,
  );
}

function runOf(account: PodAccount, id: string = ''): ReturnType<PodAccount['run']> {
  return account.run(id.split('://')[1] ?? '');
}

function isMet({ conditions = [] }: PodStatus, type: string): boolean {
  return conditions.some((one) => one.type === type && one.status === 'True');
}

function judgeConditions({ world, containers }: PodAccount, status: PodStatus): void {
  const { initContainerStatuses = [], containerStatuses = [] } = status;
  const unready = containerStatuses.find(({ ready }) => !ready);
  if (isMet(status, 'ContainersReady') && unready !== undefined) {
    world.violate('POD-V8', `ContainersReady is True, and ${unready.name} is not ready`);
  }
  const inits = containers.filter(({ role }) => role === 'init').map(({ spec }) => spec.name);
  const open = initContainerStatuses.find(({ name, ready }) => inits.includes(name) && !ready);
  if (isMet(status, 'Initialized') && open !== undefined) {
    world.violate('POD-V8', `Initialized is True, and ${open.name} has not succeeded`);
  }
}

const OURS = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady'];
const isForeign = (type: string): boolean => ![...OURS, 'PodScheduled'].includes(type);

function judgeForeign({ world }: PodAccount, status: PodStatus, stored: PodStatus): void {
  for (const { type, status: wanted } of stored.conditions ?? []) {
    const reported = status.conditions?.find((condition) => condition.type === type);
    if (!isForeign(type) || reported?.status === wanted) continue;
    world.violate(
      'POD-V8',
      `${type} of another controller is ${wanted}, reported as ${reported?.status}`,
    );
  }
}

function judgeGates({ world, pod }: PodAccount, status: PodStatus): void {
  if (!isMet(status, 'Ready')) return;
  const gates = (pod.spec?.readinessGates ?? []).map(({ conditionType }) => conditionType);
  const missing = ['ContainersReady', ...gates].find((type) => !isMet(status, type));
  if (missing !== undefined) world.violate('POD-V8', `Ready is True, and ${missing} is not`);
}

/** Without a deletion or a deadline, a pod may report a final phase only if no container must restart. */
function judgeEnded(account: PodAccount, phase: string = ''): void {
  const { world, life, pod } = account;
  const isAsked = life.reported.length > 0 || pod.spec?.activeDeadlineSeconds !== undefined;
  if (isAsked || !['Succeeded', 'Failed'].includes(phase) || mayHaveEnded(account)) return;
  world.violate('POD-V1', `the pod has ${phase}, and a container of it runs again by its policy`);
}

/**
 * The report Failed is wrong if all containers have succeeded. A pod that was deleted before all of them ran has
 * failed.
 */
function judgeFailed(account: PodAccount): void {
  const { world, pod, containers } = account;
  if (pod.spec?.activeDeadlineSeconds !== undefined) return;
  const relevant = containers.filter(({ role }) => role !== 'sidecar');
  const runs = relevant.map(({ spec }) => account.latest(spec.name));
  const isGood = runs.every((run) => run !== undefined && run.endedMs !== null && !run.exitCode);
  if (isGood) world.violate('POD-V1', 'the pod is reported as Failed, and all have succeeded');
}
