/**
 * The pod workers of the local cluster, which are those of the pod lifecycle. The records of hooks are in the state
 * directory.
 */
import { PASSING } from '../../lifecycles/pod/conditions.ts';
import { PodWorker } from '../../lifecycles/pod/drive.ts';
import { FileLedger } from '../../store/file-ledger.ts';
import { procTable } from '../../store/process-table.ts';
import { commandTraces } from '../span-export.ts';
import type { OpenPodWorkers, PodWorkersOptions } from '../cluster/runners.ts';

export async function podWorkersOf(options: PodWorkersOptions): Promise<OpenPodWorkers> {
  const { platform, sleepEnabled, stateFolder } = options;
  const { files } = platform;
  const folder = `${stateFolder}/hooks`;
  // A run ends with the first record that it cannot store, so the next hook does not depend on a rejected record.
  const ledger = await FileLedger.open({
    files,
    folder,
    processes: procTable(files),
    recovers: true,
  });
  const traces = commandTraces('lifehook-node');
  const about = { platform, ledger, sleepEnabled, emit: traces?.observe };
  return {
    passingConditions: PASSING,
    start: (driving) => new PodWorker({ ...driving, host: { ...driving.host, ...about } }),
    close: async () => {
      await Promise.all([ledger.close(), traces?.stop()]);
    },
  };
}
