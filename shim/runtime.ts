/** `lifehook-runtime`: an OCI runtime that puts hooks into the bundle and hands over to the real one. */
import { runWrapper } from '../src/lifecycles/container/shim/run-wrapper.ts';
import type { ShimHost } from '../src/platform/shim-host.ts';

export async function main(host: ShimHost): Promise<void> {
  await runWrapper(host);
}
