/**
 * Delays calls of the cluster's own webhook until the webhook listens. It listens a moment after the API server does,
 * but the stored webhook configurations of the last run are already in effect. Without the delay these calls would
 * fail.
 */
import { whenAborted } from '../../platform/linked-signal.ts';
import { codeOf } from '../../platform/posix-error.ts';
import type { WebhookCall } from '../../platform/webhook-call.ts';

export interface OwnWebhook {
  readonly call: WebhookCall;
  /** Releases the delayed calls. Call it once the webhook server is listening or has failed. */
  readonly settle: () => void;
}

export function awaitOwnWebhook(call: WebhookCall): OwnWebhook {
  let settle = (): void => undefined;
  let isSettled = false;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return {
    settle: () => {
      isSettled = true;
      settle();
    },
    call: {
      close: () => {
        call.close();
      },
      post: async (request) => {
        try {
          return await call.post(request);
        } catch (error) {
          if (isSettled || codeOf(error) !== 'ECONNREFUSED' || !isOwn(request.url)) throw error;
          await Promise.race([settled, whenAborted(request.signal)]);
          return call.post(request);
        }
      },
    },
  };
}

function isOwn(url: string): boolean {
  return new URL(url).hostname === '127.0.0.1';
}
