/** `lifehook-supervise`: the native supervisor of one container, with the arguments of `readCall`. */
import { supervise } from '../src/lifecycles/container/life/supervise.ts';
import { errorText } from '../src/platform/error-text.ts';
import type { SupervisorHost } from '../src/platform/supervisor-host.ts';
import { runSupervisor } from '../src/supervisor/program.ts';

export async function main(host: SupervisorHost): Promise<void> {
  try {
    await runSupervisor(host, supervise);
    host.end({ code: 0, signal: null });
  } catch (error) {
    host.print('stderr', `${errorText(error)}\n`);
    host.end({ code: 1, signal: null });
  }
}
