/** `lifehook-keep FOLDER [LIFE-FOLDER INSTANCE]`: the keeper of one container of the local cluster. */
import { keep } from '../packages/local-cluster/src/index.ts';
import { supervise } from '../src/lifecycles/container/life/supervise.ts';
import { errorText } from '../src/platform/error-text.ts';
import type { KeeperHost } from '../src/platform/keeper-host.ts';

export async function main(host: KeeperHost): Promise<void> {
  try {
    await keep(host, supervise);
    host.end({ code: 0, signal: null });
  } catch (error) {
    host.print('stderr', `${errorText(error)}\n`);
    host.end({ code: 1, signal: null });
  }
}
