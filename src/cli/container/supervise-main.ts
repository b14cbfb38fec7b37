/** The supervisor of one container under Node: `supervise.js`, with the arguments that `readCall` takes. */
import { supervise } from '../../lifecycles/container/life/supervise.ts';
import { host } from '../../platform/node-supervisor-host.ts';
import { runSupervisor } from '../../supervisor/program.ts';

async function main(): Promise<void> {
  await runSupervisor(host, supervise);
  host.end({ code: 0, signal: null });
}

void main();
