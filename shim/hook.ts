/** `lifehook-hook`: runs hooks of a container. Its command line is written by `lifehook-runtime`. */
import { readHookCommands } from '../src/lifecycles/container/shim/hook-command.ts';
import { runHooks } from '../src/lifecycles/container/shim/run-hook.ts';
import type { ShimHost } from '../src/platform/shim-host.ts';

export async function main(host: ShimHost): Promise<void> {
  try {
    host.end({ code: await runHooks(host, readHookCommands(host.args)), signal: null });
  } catch (error) {
    // A hook that cannot even be tried counts as failed.
    host.print('stderr', `${error instanceof Error ? error.message : String(error)}\n`);
    host.end({ code: 1, signal: null });
  }
}
