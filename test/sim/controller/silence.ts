/** A server that does not answer: a webhook of another that hangs, say. */
import { UnreachableError } from '../../../src/kube/api-error.ts';
import type { CallOptions } from '../../../src/kube/client.ts';
import type { SimHost } from './sim-host.ts';

/** Rejects when the client has waited as long as it does. */
export function silence(host: SimHost, { timeoutMs = 30_000 }: CallOptions = {}): Promise<never> {
  return new Promise((_, reject) => {
    host.timers.after(timeoutMs, () => {
      reject(new UnreachableError('no answer', { sent: true }));
    });
  });
}
