/** A snapshot that cannot continue while its application is frozen (SNAP-I5). */
import { expect, it } from 'vitest';

import { failure, tooMany } from '../../../../test/sim/controller/sim-api.ts';
import type { SimHost } from '../../../../test/sim/controller/sim-host.ts';
import { silence } from '../../../../test/sim/controller/silence.ts';
import type { ChangeClient } from '../../../../test/sim/snapshot/replica.ts';
import { SnapshotStand } from '../../../../test/sim/snapshot/stand.ts';
import { RELEASE } from '../names.ts';

/** How a webhook of another keeps the server from an answer, and for how long. */
type Trouble = (host: SimHost) => Promise<never>;

const TROUBLES: readonly { what: string; trouble: Trouble; frozenMs: number }[] = [
  { what: 'does not answer within 30 s', trouble: (host) => silence(host), frozenMs: 31_000 },
  {
    what: 'refuses after 10 s',
    trouble: (host) =>
      new Promise((_, reject) => {
        host.timers.after(10_000, () => {
          reject(failure(500, 'InternalError', 'failed calling webhook'));
        });
      }),
    frozenMs: 36_000,
  },
  {
    what: 'refuses at once',
    trouble: () => Promise.reject(failure(500, 'InternalError', 'failed calling webhook')),
    frozenMs: 31_000,
  },
];

/** Holds only the patch with the release: hooks are patched for other reasons too. */
function holdRelease(trouble: Trouble): ChangeClient {
  return (client, host) => ({
    ...client,
    patch: (resource, key, options) =>
      JSON.stringify(options.body).includes(RELEASE)
        ? trouble(host)
        : client.patch(resource, key, options),
  });
}

it.each(TROUBLES)(
  'thaws a hook without an expiry when the server $what to its release',
  async ({ trouble, frozenMs }) => {
    const stand = new SnapshotStand({ replicas: 1, changeClient: holdRelease(trouble) });
    await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined, 900_000);
    const [freeze, thaw] = stand.account.commands;
    expect([freeze?.verb, thaw?.verb]).toEqual(['freeze', 'thaw']);
    expect((thaw?.atMs ?? 0) - (freeze?.atMs ?? 0)).toBeLessThan(frozenMs);
    expect(stand.snapshot?.status).toMatchObject({
      phase: 'Failed',
      failure: {
        reason: 'ThawedBeforeCut',
        message: expect.stringMatching(/^hook \S+ was deleted$/) as string,
      },
    });
  },
);

it('requests a thaw by its own pause, whatever pause a busy server asks for (CTRL-R5)', async () => {
  let refusals = 0;
  const busy: ChangeClient = (client) => ({
    ...client,
    patch: (resource, key, options) => {
      if (!JSON.stringify(options.body).includes(RELEASE) || refusals === 3)
        return client.patch(resource, key, options);
      refusals += 1;
      return Promise.reject(tooMany(18));
    },
  });
  const stand = new SnapshotStand({ replicas: 1, changeClient: busy });
  await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined, 900_000);
  const [freeze, thaw] = stand.account.commands;
  expect([refusals, freeze?.verb, thaw?.verb]).toEqual([3, 'freeze', 'thaw']);
  expect((thaw?.atMs ?? 0) - (freeze?.atMs ?? 0)).toBeLessThan(18_000);
});
