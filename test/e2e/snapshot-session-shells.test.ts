/** The holder with real shells: what it promises while all of it lives, and when the connection does not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  client,
  commands,
  done,
  openTrials,
  shells,
  type Trials,
} from '../fixtures/snapshot/session-trials.ts';

let trials: Trials;

beforeAll(async () => {
  trials = await openTrials();
});

afterAll(() => trials.close());

for (const [name, shell, timing, needs] of shells) {
  describe.concurrent(`the holder in ${name}`, needs, () => {
    for (const [kind, shape] of [
      ['commands', commands],
      ['client', client],
    ] as const) {
      it(`with ${kind}: thaws when it is told to, and leaves nothing behind`, async () => {
        const { session, result, log, gone } = await trials.open(shell, shape);
        expect(result).toMatchObject({ outcome: 'Succeeded' });
        expect(session?.timing).toBe(timing);
        const end = await session?.thaw(5_000);
        expect(end).toMatchObject({ kind: 'thawed', by: 'session', exitCode: 0 });
        expect(await log()).toEqual(done[kind]);
        await gone();
      });

      it(`with ${kind}: is held for longer than its window while we are there`, async () => {
        const { session, log } = await trials.open(shell, shape);
        await new Promise((go) => setTimeout(go, 5_000));
        expect((await log()).length).toBe(done[kind].length - (kind === 'client' ? 2 : 1));
        expect(await session?.thaw(5_000)).toMatchObject({ by: 'session' });
      });

      it(`with ${kind}: thaws at once when its input ends`, async () => {
        const { session, stream, thawedAfterMs, log } = await trials.open(shell, shape);
        await stream.endStdin();
        expect(await thawedAfterMs()).toBeLessThan(1_000);
        expect(await session?.ended).toMatchObject({ kind: 'thawed', by: 'deadman', exitCode: 0 });
        expect(await log()).toEqual(done[kind]);
      });

      it(`with ${kind}: thaws within its window when nothing is heard any more`, async () => {
        const { session, stream, thawedAfterMs, log } = await trials.open(shell, shape);
        stream.silence();
        const afterMs = await thawedAfterMs();
        expect(afterMs).toBeGreaterThan(900);
        expect(afterMs).toBeLessThan(4_000);
        const end = await session?.ended;
        expect(end).toMatchObject({ kind: 'thawed', by: 'deadman', exitCode: 0 });
        expect(end?.reason).toContain('heard nothing of us for 2 s');
        expect(await log()).toEqual(done[kind]);
      });

      it(`with ${kind}: thaws at its longest time though it hears of us`, async () => {
        const { session, thawedAfterMs, log } = await trials.open(shell, shape, {
          longestSeconds: 3,
        });
        const afterMs = await thawedAfterMs();
        expect(afterMs).toBeGreaterThan(1_500);
        expect(afterMs).toBeLessThan(5_000);
        expect(await session?.ended).toMatchObject({ kind: 'thawed', by: 'deadman' });
        expect(await log()).toEqual(done[kind]);
      });

      it(`with ${kind}: thaws when the connection is torn, whatever is unread`, async () => {
        const { stream, session, thawedAfterMs, log, gone } = await trials.open(shell, shape);
        stream.close();
        expect(await session?.ended).toMatchObject({ kind: 'lost' });
        expect(await thawedAfterMs()).toBeLessThan(1_500);
        await gone();
        // A client that has more to say dies of it, and its session ends with it.
        expect(await log()).toEqual(done[kind].slice(0, kind === 'client' ? 3 : 2));
      });
    }
  });
}
