/** `lifehook-hook`: runs one hook of a container. Its command line is written by `lifehook-runtime`. */
import { readHookCommand } from '../src/lifecycles/container/runner/hook-command.ts';
import { runHook } from '../src/lifecycles/container/runner/run-hook.ts';
import type { ShimHost } from '../src/platform/shim-host.ts';

export async function main(host: ShimHost): Promise<void> {
  try {
    host.end({ code: await runHook(host, readHookCommand(host.args)), signal: null });
  } catch (error) {
    // A hook that cannot even be tried counts as failed.
    host.print('stderr', `${error instanceof Error ? error.message : String(error)}\n`);
    host.end({ code: 1, signal: null });
  }
}
