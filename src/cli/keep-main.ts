/** The supervisor of one container under Node: `keep.js FOLDER [LIFE-FOLDER INSTANCE]`. */
import { runSupervisor } from '../supervisor/program.ts';
import { supervise } from '../lifecycles/container/life/supervise.ts';
import { host } from '../platform/node-supervisor-host.ts';

async function main(): Promise<void> {
  await runSupervisor(host, supervise);
  host.end({ code: 0, signal: null });
}

void main();
