/** The session helper with real shells: its behaviour while all of its processes run, and after a broken connection. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import {
  client,
  commands,
  done,
  LONG_WINDOW,
  openTrials,
  PATIENCE_MS,
  type Shape,
  shells,
  within,
} from '../fixtures/snapshot/session-trials.ts';

const trials = openTrials();

/** Texts that a shell would change if they were part of its script. */
const ODD_TEXTS = [
  '$(echo forged)',
  '`echo forged`',
  "';'",
  '"',
  '\\n',
  '* #',
  '-n',
  '',
  'two\nlines',
];

for (const [name, shell, timing, needs] of shells) {
  describe.concurrent(`the session helper in ${name}`, needs, () => {
    it('passes all arguments of freeze and thaw unchanged, whatever their characters (SNAP-H2)', async () => {
      const print = (log: string, what: string): string[] => {
        return ['sh', '-c', `printf '${what} <%s>\\n' "$@" >>"$0"`, log, ...ODD_TEXTS];
      };
      const shape: Shape = (log) => ({
        freeze: print(log, 'freeze'),
        thaw: print(log, 'thaw'),
        windowSeconds: LONG_WINDOW,
      });
      const { session, log } = await trials.open(shell, shape);
      expect(await session?.thaw(PATIENCE_MS)).toMatchObject({ kind: 'thawed', exitCode: 0 });
      const lines = ['freeze', 'thaw'].flatMap((what) =>
        ODD_TEXTS.flatMap((text) => `${what} <${text}>`.split('\n')),
      );
      expect(await log()).toEqual(lines);
    });

    it('passes all statements to a client unchanged, whatever their characters (SNAP-H2)', async () => {
      const [first = '', ...others] = ODD_TEXTS.filter((text) => !text.includes('\n'));
      const keep =
        'while IFS= read -r line; do printf "<%s>\\n" "$line" >>"$1"; printf "%s\\n" "$line"; done';
      const shape: Shape = (log) => ({
        client: ['sh', '-c', keep, 'sh', log],
        freeze: [...others, first],
        thaw: [...others, first],
        ready: first,
        windowSeconds: LONG_WINDOW,
      });
      const { session, log } = await trials.open(shell, shape);
      expect(await session?.thaw(PATIENCE_MS)).toMatchObject({ kind: 'thawed', exitCode: 0 });
      const lines = [...others, first].map((text) => `<${text}>`);
      expect(await log()).toEqual([...lines, ...lines]);
    });

    it('reports how much a thaw printed, beyond what is kept of it', async () => {
      const flood = ['sh', '-c', "head -c 200000 /dev/zero | tr '\\0' x"];
      const shape: Shape = (log) => ({ ...commands(log), freeze: ['true'], thaw: flood });
      const { session } = await trials.open(shell, shape);
      const end = await session?.thaw(PATIENCE_MS);
      expect(end).toMatchObject({ kind: 'thawed', exitCode: 0, outputBytes: 200_000 });
    });

    for (const [kind, shape] of [
      ['commands', commands],
      ['client', client],
    ] as const) {
      it(`with ${kind}: thaws on request, and leaves no process behind (SNAP-H4)`, async () => {
        const { session, result, log, deleted } = await trials.open(shell, shape);
        expect(result).toMatchObject({ outcome: 'Succeeded' });
        expect(session?.timing).toBe(timing);
        const end = await session?.thaw(PATIENCE_MS);
        expect(end).toMatchObject({ kind: 'thawed', by: 'session', exitCode: 0 });
        expect(await log()).toEqual(done[kind]);
        await deleted();
      });

      it(`with ${kind}: thaws on a request that arrives in two pieces, more than a second apart (SNAP-H7)`, async () => {
        const { stream, session, log } = await trials.open(shell, shape);
        await stream.write(Buffer.from('th'));
        await pause(1_500);
        await stream.write(Buffer.from('aw\n'));
        // If this request were lost, the thaw would have the dead-man window as its cause.
        await stream.endStdin();
        expect(await session?.ended).toMatchObject({ kind: 'thawed', by: 'session', exitCode: 0 });
        expect(await log()).toEqual(done[kind]);
      });

      // Only for shells with the timing `read`: the others count down while they wait for a whole line.
      if (timing === 'read') {
        it(`with ${kind}: thaws when its input has no end of a line, since no second is counted while it comes`, async () => {
          const { session, stream, log } = await trials.open(shell, shape);
          await stream.write(Buffer.from('x'.repeat(1_000)));
          const end = await session?.ended;
          expect(end).toMatchObject({ kind: 'thawed', by: 'deadman', exitCode: 0 });
          expect(await log()).toEqual(done[kind]);
        });

        it(`with ${kind}: thaws when many lines arrive that carry no second, since none is counted between them`, async () => {
          const { session, stream, log } = await trials.open(shell, shape);
          await stream.write(Buffer.from('renew 0\n'.repeat(30)));
          const end = await session?.ended;
          expect(end).toMatchObject({ kind: 'thawed', by: 'deadman', exitCode: 0 });
          expect(await log()).toEqual(done[kind]);
        });
      }

      it(`with ${kind}: is held past its window while it is renewed`, async () => {
        const { session, pass, answered } = await trials.open(shell, shape);
        for (let renewals = 1; renewals <= 5; renewals += 1) {
          await pass(LONG_WINDOW / 3);
          await answered(renewals);
        }
        expect(await session?.thaw(PATIENCE_MS)).toMatchObject({ by: 'session' });
      });

      it(`with ${kind}: thaws when its window has passed since the last renewal (SNAP-H4)`, async () => {
        const { session, stream, pass, answered } = await trials.open(shell, shape);
        await pass(LONG_WINDOW / 3);
        await answered(1);
        // Seconds on the session helper's own clock, during which no renewal arrives.
        await stream.write(Buffer.from('tick\n'.repeat(LONG_WINDOW)));
        expect(await session?.ended).toMatchObject({ kind: 'thawed', by: 'deadman', exitCode: 0 });
      });

      it(`with ${kind}: thaws before its window has passed when its input ends (SNAP-H4)`, async () => {
        const { session, stream, thawed, log } = await trials.open(shell, shape);
        await stream.endStdin();
        await thawed();
        const end = await session?.ended;
        expect(end).toMatchObject({ kind: 'thawed', by: 'deadman', exitCode: 0 });
        expect(end?.reason).toContain('its input had ended');
        expect(await log()).toEqual(done[kind]);
      });

      it(`with ${kind}: thaws after its window, and not before, when its connection is silent`, async () => {
        // The window is longer than this test, so the session never thaws by itself.
        const longer = await trials.open(shell, shape);
        longer.stream.silence();
        const { session, stream, thawed, elapsedMs, log } = await trials.open(
          shell,
          within(10, shape),
        );
        stream.silence();
        await thawed();
        expect(elapsedMs()).toBeGreaterThan(4_500);
        const end = await session?.ended;
        expect(end).toMatchObject({ kind: 'thawed', by: 'deadman', exitCode: 0 });
        expect(end?.reason).toContain('the controller had been silent for 10 s');
        expect(await log()).toEqual(done[kind]);
        expect((await longer.log()).filter((line) => line.startsWith('thaw'))).toEqual([]);
      });

      it(`with ${kind}: thaws at its longest time although it is renewed (SNAP-H4)`, async () => {
        const { session, stream, pass, answered, log } = await trials.open(shell, shape, {
          longestSeconds: LONG_WINDOW + 300,
        });
        for (let renewals = 1; renewals <= 4; renewals += 1) {
          await pass(LONG_WINDOW / 3);
          await answered(renewals);
        }
        await stream.write(Buffer.from(`renew ${LONG_WINDOW + 300}\n`));
        const end = await session?.ended;
        expect(end).toMatchObject({ kind: 'thawed', by: 'deadman' });
        expect(end?.reason).toContain('its maximum time had passed');
        expect(await log()).toEqual(done[kind]);
      });

      it(`with ${kind}: thaws when its connection breaks, whatever output is unread`, async () => {
        const { stream, session, thawed, log, deleted } = await trials.open(shell, shape);
        stream.close();
        expect(await session?.ended).toMatchObject({ kind: 'lost' });
        await thawed();
        await deleted();
        // The client exits because its output is not read, and that ends its session.
        expect(await log()).toEqual(done[kind].slice(0, kind === 'client' ? 3 : 2));
      });
    }
  });
}
