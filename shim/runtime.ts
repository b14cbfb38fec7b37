/** `lifehook-runtime`: an OCI runtime that adds hooks to the bundle and then executes the real runtime. */
import { runWrapper } from '../src/lifecycles/container/shim/run-wrapper.ts';
import type { ShimHost } from '../src/platform/shim-host.ts';

export async function main(host: ShimHost): Promise<void> {
  await runWrapper(host);
}
