import { describe, expect, it } from 'vitest';

import { posixError } from '../../platform/posix-error.ts';
import type { WebhookAnswer, WebhookRequest } from '../../platform/webhook-call.ts';
import { awaitOwnWebhook, type OwnWebhook } from './await-own-webhook.ts';

const answer: WebhookAnswer = { status: 200, body: '' };
const request = (
  url = 'https://127.0.0.1:9/x',
  signal = new AbortController().signal,
): WebhookRequest => ({
  url,
  connectTo: null,
  authority: '',
  body: '',
  answerLimitBytes: 1,
  signal,
});

const LISTENS = 'after the server listens';

/** Refuses the first `times` calls with the error `code`, then answers. */
function refusing(times: number, code: string = 'ECONNREFUSED'): OwnWebhook & { posts(): number } {
  let posts = 0;
  const own = awaitOwnWebhook({
    close: () => undefined,
    post: async ({ signal }) => {
      posts += 1;
      if (signal.aborted) throw posixError('ECANCELED', 'called off');
      if (posts <= times) throw posixError(code, 'no');
      return answer;
    },
  });
  return { ...own, posts: () => posts };
}

describe('a call of our own webhook', () => {
  it('is retried once the server listens when the connection was refused', async () => {
    const own = refusing(1);
    const answered = own.call.post(request());
    await Promise.resolve();
    expect(own.posts()).toBe(1);
    own.settle();
    expect(await answered).toBe(answer);
  });

  it('stops waiting when its signal is aborted', async () => {
    const ending = new AbortController();
    const answered = refusing(9).call.post(request(undefined, ending.signal));
    ending.abort();
    await expect(answered).rejects.toThrow('called off');
  });

  it.each([
    [LISTENS, refusing(1), 'https://127.0.0.1:9/x'],
    ['of another server', refusing(1), 'https://10.0.0.1:9/x'],
    ['that fails with another error', refusing(1, 'ECONNRESET'), 'https://127.0.0.1:9/x'],
  ])('%s is not retried', async (title, own, url) => {
    if (title === LISTENS) own.settle();
    await expect(own.call.post(request(url))).rejects.toThrow('no');
    expect(own.posts()).toBe(1);
  });
});
