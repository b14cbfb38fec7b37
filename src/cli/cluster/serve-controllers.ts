/** The controllers within the local cluster: running as soon as it is up, with no set-up. */
import { runManager } from '../../controller/manager.ts';
import type { KubeConnection } from '../../kube/client.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { CancelSignal } from '../../platform/platform.ts';
import { sleep } from '../../platform/sleep.ts';
import { controllersOf } from '../controller/controllers-of.ts';

export interface ServeControllersOptions {
  readonly connect: () => KubeConnection;
  readonly signal: CancelSignal;
}

const AGAIN_MS = 1_000;

/** Until the signal ends them; what breaks them is tried again. Never rejects. */
export async function serveControllers(options: ServeControllersOptions): Promise<void> {
  const { connect, signal } = options;
  while (!signal.aborted) {
    const quiet = (): void => undefined;
    const { informers, controllers, recorder } = controllersOf({
      connect,
      scope: {},
      groupSnapshots: true,
      observe: quiet,
      observeController: quiet,
    });
    try {
      await runManager({ informers, controllers, election: null, signal });
    } catch {
      await sleep(nodePlatform.timers, AGAIN_MS, signal);
    } finally {
      await recorder.stop();
    }
  }
}
