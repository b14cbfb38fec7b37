/** The pod workers of the local cluster: those of the lifecycle in the table. */
import type { PodWorkers } from '../../../packages/local-cluster/src/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { podWorkers } from '../lifecycle-runners.ts';

export interface PodWorkersOptions {
  readonly platform: Platform;
  readonly stateFolder: string;
  /** The node's gate PodLifecycleSleepAction. */
  readonly sleepEnabled: boolean;
}

export interface OpenPodWorkers extends PodWorkers {
  /** Call it when no worker is left. */
  close(): Promise<void>;
}

export async function openPodWorkers(options: PodWorkersOptions): Promise<OpenPodWorkers> {
  const [podWorkersOf] = Object.values(podWorkers);
  if (podWorkersOf === undefined) throw new Error('no lifecycle of this program runs pods');
  return podWorkersOf(options);
}
