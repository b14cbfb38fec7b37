/** The process table where there is no /proc: developers' machines are not all Linux. */
import { execFile } from 'node:child_process';
import process from 'node:process';

import { nodePlatform } from '../../platform/node-platform.ts';
import { procTable, type ProcessTable } from '../../store/process-table.ts';

export function processTableOf(platform: string): ProcessTable {
  return platform === 'linux' ? procTable(nodePlatform.files) : psTable;
}

/** By ps(1), which tells the start to the second: numbers do not come again that soon. */
export const psTable: ProcessTable = {
  self: async () => ({ pid: process.pid, started: (await startOf(process.pid)) ?? '' }),
  isAlive: async ({ pid, started }) => (await startOf(pid)) === started,
};

/** null: there is no such process. */
function startOf(pid: number): Promise<string | null> {
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' };
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'lstart=', '-p', String(pid)], { env }, (error, stdout) => {
      const start = stdout.trim();
      resolve(error === null && start !== '' ? start : null);
    });
  });
}
