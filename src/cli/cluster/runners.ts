/** The runtimes of the local node: always plain processes, and the OCI runtimes of this machine. */
import { join } from 'node:path';
import process from 'node:process';

import {
  openOciRuntime,
  openProcessRuntime,
  type PodWorkers,
  type RuntimeWorld,
} from '../../../packages/local-cluster/src/index.ts';
import { LifehookError } from '../../model/problem.ts';
import type { ContainerRuntime } from '../../platform/container-runtime.ts';
import { nodeSupervisors } from '../../platform/node-supervisors.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { nodeSupervision } from '../../platform/node-supervision.ts';
import type { Platform } from '../../platform/platform.ts';
import { nodeTrees } from '../../platform/trees.ts';
import { podWorkers, runtimeContainers } from '../lifecycle-runners.ts';
import { type Obstacle, obstacleTo, realRuntimes, supervisorArgv } from '../real-runtime.ts';
import type { UpOptions } from './up.ts';

/** The runtimes by the name in `spec.runtimeClassName`; '' is the default. */
export async function openRuntimes(
  folder: string,
  runner: UpOptions['runner'],
): Promise<ReadonlyMap<string, ContainerRuntime>> {
  const plain = await openProcessRuntime(worldOf(folder, 'process'));
  const runtimes = new Map([['process', plain]]);
  const [hookedContainers] = Object.values(runtimeContainers);
  for (const [name, command] of await realRuntimes()) {
    if (hookedContainers === undefined) break;
    const world = worldOf(folder, name);
    const containers = hookedContainers(world, command);
    runtimes.set(name, await openOciRuntime(world, { name, command, containers }));
  }
  const chosen = runtimes.get(runner === 'auto' ? 'process' : runner);
  if (chosen === undefined) throw await noRunner(runner);
  return runtimes.set('', chosen);
}

function worldOf(clusterFolder: string, name: string): RuntimeWorld {
  const env = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    platform: nodePlatform,
    supervision: nodeSupervision,
    supervisors: nodeSupervisors,
    trees: nodeTrees,
    supervisorArgv: supervisorArgv(),
    env: Object.fromEntries(env),
    uid: process.getuid?.() ?? 0,
    clusterFolder,
    stateFolder: join(clusterFolder, name),
    warn: (message) => process.stderr.write(`warning: ${message}\n`),
  };
}

const NO_LIFECYCLE: Obstacle = {
  what: 'this program has no lifecycle of containers',
  next: 'Use a program that has it',
};

async function noRunner(runner: string): Promise<LifehookError> {
  const { what, next } = (await obstacleTo(runner)) ?? NO_LIFECYCLE;
  return new LifehookError({
    code: 'LHA103',
    message: `The runner ${runner} cannot be used: ${what}.`,
    next: `${next}, or use --runner process.`,
  });
}

/** The options for opening the pod workers of the local cluster. */
export interface PodWorkersOptions {
  readonly platform: Platform;
  readonly stateFolder: string;
  /** True: the node's feature gate PodLifecycleSleepAction is on. */
  readonly sleepEnabled: boolean;
}

export interface OpenPodWorkers extends PodWorkers {
  /** Releases the resources of the workers. Call it when no worker is left. */
  close(): Promise<void>;
}

export async function openPodWorkers(options: PodWorkersOptions): Promise<OpenPodWorkers> {
  const [podWorkersOf] = Object.values(podWorkers);
  if (podWorkersOf === undefined) throw new Error('no lifecycle of this program runs pods');
  return podWorkersOf(options);
}
