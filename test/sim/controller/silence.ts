/** A request to a server that does not answer, for example because a foreign webhook hangs. */
import { UnreachableError } from '../../../src/kube/api-error.ts';
import type { CallOptions } from '../../../src/kube/client.ts';
import type { SimHost } from './sim-host.ts';

/** Rejects after the client's timeout. */
export function silence(host: SimHost, { timeoutMs = 30_000 }: CallOptions = {}): Promise<never> {
  return new Promise((_, reject) => {
    host.timers.after(timeoutMs, () => {
      reject(new UnreachableError('no answer', { sent: true }));
    });
  });
}
