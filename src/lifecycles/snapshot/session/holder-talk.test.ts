import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';

import type { StreamSession } from '../../../kube/stream-session.ts';
import { StreamQueue } from '../../../kube/stream-queue.ts';
import { makeMasker } from '../../../model/secrets.ts';
import { HolderTalk } from './holder-talk.ts';

const NONCE = 'nonce';

/** A session with a client whose ready line is "ready"; the test decides what arrives on which channel. */
function talkWithClient(): {
  readonly talk: HolderTalk;
  readonly arrive: (channel: 'stdout' | 'stderr', line: string) => Promise<void>;
} {
  const queues = { stdout: new StreamQueue(), stderr: new StreamQueue() };
  const stream: StreamSession = {
    ...queues,
    write: async () => true,
    endStdin: async () => true,
    resize: async () => true,
    status: null,
    ended: new Promise(() => {}),
    close: () => {},
  };
  const talk = new HolderTalk({
    stream,
    nonce: NONCE,
    windowSeconds: 12,
    readyLine: 'ready',
    masker: makeMasker([]),
    onReport: () => {},
  });
  const arrive = async (channel: 'stdout' | 'stderr', line: string): Promise<void> => {
    await queues[channel].add(new TextEncoder().encode(`${line}\n`));
    await turn();
  };
  return { talk, arrive };
}

it('is frozen only when the session helper has reported its timing, if the ready line of the client arrives first', async () => {
  const { talk, arrive } = talkWithClient();
  const early = Promise.race([talk.frozen.then(() => 'frozen'), turn('not yet')]);
  await arrive('stderr', 'ready');
  expect(await early).toBe('not yet');
  await arrive('stdout', `${NONCE} timing sleep`);
  await talk.frozen;
  expect(talk.facts.timing).toBe('sleep');
});
