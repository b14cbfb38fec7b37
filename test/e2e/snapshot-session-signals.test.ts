/** The session helper with real shells when a signal stops it: a signal to itself, or to all of its processes. */
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
  type Trial,
} from '../fixtures/snapshot/session-trials.ts';

const trials = openTrials();

function signal({ stream }: Trial, name: NodeJS.Signals): void {
  expect(stream.child.kill(name)).toBe(true);
}

const ignoring: Shape = (log) => ({
  freeze: ['sh', '-c', 'trap "" TERM; echo begun; while :; do sleep 1; done', 'sh', log],
  thaw: ['sh', '-c', 'echo thaw >>"$1"', 'sh', log],
  windowSeconds: LONG_WINDOW,
});

for (const [name, shell, , needs] of shells) {
  describe.concurrent(`the session helper in ${name}`, needs, () => {
    it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
      'with commands: thaws on %s (SNAP-H6)',
      async (kind) => {
        const trial = await trials.open(shell, commands);
        signal(trial, kind);
        const end = await trial.session?.ended;
        expect(end).toMatchObject({ kind: 'thawed', by: 'deadman', exitCode: 0 });
        expect(end?.reason).toContain('it was terminated by a signal');
        expect(await trial.log()).toEqual(done.commands);
        await trial.deleted();
      },
    );

    it('with commands: thaws on SIGTERM to all of its processes (SNAP-H6)', async () => {
      const trial = await trials.open(shell, commands);
      trial.stream.killGroup('SIGTERM');
      const end = await trial.session?.ended;
      expect(end).toMatchObject({ kind: 'thawed', by: 'deadman', exitCode: 0 });
      // The process that waits for events gets the request to stop as an event: it does not die of the signal.
      expect(end?.reason).toContain('it was terminated by a signal');
      expect(await trial.log()).toEqual(done.commands);
      await trial.deleted();
    });

    it('with a client: thaws in its session on SIGTERM (SNAP-H6)', async () => {
      const trial = await trials.open(shell, client);
      signal(trial, 'SIGTERM');
      const end = await trial.session?.ended;
      expect(end).toMatchObject({ kind: 'thawed', by: 'deadman', exitCode: 0 });
      expect(await trial.log()).toEqual(done.client);
      await trial.deleted();
    });

    it('with a client: SIGTERM to all of its processes ends the session', async () => {
      const trial = await trials.open(shell, client);
      trial.stream.killGroup('SIGTERM');
      const end = await trial.session?.ended;
      expect(['thawed', 'broken']).toContain(end?.kind);
      await trial.deleted();
    });

    it('terminates a freeze that hangs and thaws on SIGTERM', async () => {
      let begun = (): void => {};
      const isBegun = new Promise<void>((resolve) => (begun = resolve));
      const opening = trials.open(shell, ignoring, {
        timeoutMs: PATIENCE_MS,
        onOpen: (stream) => {
          void isBegun.then(() => stream.child.kill('SIGTERM'));
        },
        onOutput: () => {
          begun();
        },
      });
      const trial = await opening;
      expect(trial.session).toBeNull();
      expect(trial.undone).toMatchObject({ kind: 'thawed', by: 'deadman', exitCode: 0 });
      expect(await trial.log()).toEqual(['thaw']);
      await trial.deleted();
    });

    it.each(['commands', 'client'] as const)(
      'with %s: thaws on SIGTERM where the part that hears of it starts late',
      async (kind) => {
        let stop = (): void => {};
        const trial = await trials.open(shell, { commands, client }[kind], {
          edit: (input) => input.replace(/(?=trap '' PIPE USR1; trap 'woken)/g, 'sleep 1; '),
          onOpen: ({ child }) => (stop = () => child.kill('SIGTERM')),
          onOutput: () => {
            stop();
          },
        });
        await trial.deleted();
        expect(await trial.log()).toEqual(expect.arrayContaining([expect.stringMatching(/^thaw/)]));
      },
    );

    it('still thaws on request after a signal that is no call to stop', async () => {
      const trial = await trials.open(shell, commands);
      signal(trial, 'SIGUSR1');
      signal(trial, 'SIGUSR2');
      expect(await trial.session?.thaw(PATIENCE_MS)).toMatchObject({ by: 'session', exitCode: 0 });
      expect(await trial.log()).toEqual(done.commands);
    });
  });
}
