/** `lifehook-supervise FOLDER INSTANCE`: the supervisor of one container, natively. */
import { supervise } from '../src/lifecycles/container/life/supervise.ts';
import { errorText } from '../src/platform/error-text.ts';
import type { ShimHost } from '../src/platform/shim-host.ts';

export async function main(host: ShimHost): Promise<void> {
  const [folder = '', instance = ''] = host.args;
  try {
    await supervise({ platform: host, supervision: host.supervision, folder, instance });
    host.end({ code: 0, signal: null });
  } catch (error) {
    host.print('stderr', `${errorText(error)}\n`);
    host.end({ code: 1, signal: null });
  }
}
