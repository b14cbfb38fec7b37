/** The pods of the local cluster live by the pod lifecycle; the records of their hooks are in its state folder. */
import type { PodWorkers } from '../../../packages/local-cluster/src/index.ts';
import { PASSING } from '../../lifecycles/pod/conditions.ts';
import { PodWorker } from '../../lifecycles/pod/drive.ts';
import type { Platform } from '../../platform/platform.ts';
import { FileLedger } from '../../store/file-ledger.ts';
import { procTable } from '../../store/process-table.ts';

export interface PodWorkersOptions {
  readonly platform: Platform;
  readonly stateFolder: string;
  /** The node's gate PodLifecycleSleepAction. */
  readonly sleepEnabled: boolean;
}

export interface OpenPodWorkers extends PodWorkers {
  /** Once no worker is left. */
  close(): Promise<void>;
}

export async function openPodWorkers(options: PodWorkersOptions): Promise<OpenPodWorkers> {
  const { platform, sleepEnabled, stateFolder } = options;
  const { files } = platform;
  const folder = `${stateFolder}/hooks`;
  const ledger = await FileLedger.open({ files, folder, processes: procTable(files) });
  return {
    passingConditions: PASSING,
    start: (driving) =>
      new PodWorker({ ...driving, host: { ...driving.host, platform, ledger, sleepEnabled } }),
    close: () => ledger.close(),
  };
}
