/**
 * `lifehook-hook`: runs hooks of a container, by a command line that `lifehook-runtime` has written into config.json. A
 * command of Lifehook also starts it, to enforce the deadline of one hook.
 */
import { readHookOrder } from '../src/lifecycles/container/hook-runs/hook-order.ts';
import { readHookCommands } from '../src/lifecycles/container/shim/hook-command.ts';
import { keepDeadline } from '../src/lifecycles/container/shim/keep-deadline.ts';
import { runHooks } from '../src/lifecycles/container/shim/run-hook.ts';
import { errorText } from '../src/platform/error-text.ts';
import type { ShimHost } from '../src/platform/shim-host.ts';

export async function main(host: ShimHost): Promise<void> {
  try {
    host.end({ code: await run(host), signal: null });
  } catch (error) {
    // A hook that cannot be started counts as failed.
    host.print('stderr', `${errorText(error)}\n`);
    host.end({ code: 1, signal: null });
  }
}

async function run(host: ShimHost): Promise<number> {
  const order = readHookOrder(host.args);
  if (order === null) return runHooks(host, readHookCommands(host.args));
  await keepDeadline(host, order);
  return 0;
}
