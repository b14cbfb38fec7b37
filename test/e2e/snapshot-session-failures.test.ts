/** The session helper with real shells while freezes, clients or its own processes fail or hang. */
import { buffer } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import {
  holderArguments,
  holderInput,
} from '../../src/lifecycles/snapshot/session/held-session.ts';
import { type ProcessSession, processWorld } from '../fixtures/snapshot/process-session.ts';
import {
  client,
  commands,
  LONG_WINDOW,
  openTrials,
  PATIENCE_MS,
  type Shape,
  shells,
  type Trial,
  within,
} from '../fixtures/snapshot/session-trials.ts';
import { killOf } from './process-list.ts';

const trials = openTrials();

const thaw = (log: string): string[] => [
  'sh',
  '-c',
  'echo "thaw [${LIFEHOOK_PRIOR-none}]" >>"$1"',
  'sh',
  log,
];

const freezing =
  (script: string): Shape =>
  (log) => ({
    freeze: ['sh', '-c', script, 'sh', log],
    thaw: thaw(log),
    windowSeconds: LONG_WINDOW,
  });

const speaking =
  (script: string): Shape =>
  (log) => ({
    client: ['sh', '-c', script, 'sh', log],
    freeze: ['lock'],
    thaw: ['unlock'],
    ready: 'ready',
    windowSeconds: LONG_WINDOW,
  });

/** Thaws, and returns all output. Output of a freeze after the report "frozen" counts as output of the thaw. */
async function allOutputOf({ result, session }: Trial): Promise<string> {
  const end = await session?.thaw(PATIENCE_MS);
  return `${result.stdout.text}${end?.kind === 'thawed' ? (end.output ?? '') : ''}`;
}

for (const [name, shell, , needs] of shells) {
  describe.concurrent(`the session helper in ${name}`, needs, () => {
    it('undoes a failed freeze, and reports both', async () => {
      const trial = await trials.open(shell, freezing('echo half; exit 3'));
      expect(trial.session).toBeNull();
      expect(trial.result).toMatchObject({ outcome: 'Failed', exitCode: 3 });
      expect(trial.result.stdout.text).toBe('half\n');
      expect(trial.result.reason).toContain('exited with code 3');
      expect(trial.undone).toMatchObject({ kind: 'thawed', exitCode: 0 });
      expect(await trial.log()).toEqual(['thaw [half]']);
      await trial.deleted();
    });

    it('reports a missing program', async () => {
      const trial = await trials.open(shell, (log) => ({
        freeze: ['no-such-one'],
        thaw: thaw(log),
      }));
      expect(trial.result).toMatchObject({ outcome: 'Failed', exitCode: 127 });
      expect(trial.result.reason).toContain('the image has no such program');
    });

    it('terminates a freeze that hangs at the deadline, and thaws', async () => {
      const script = 'echo begun; sleep 600 & wait $!; echo after >>"$1"';
      const trial = await trials.open(shell, freezing(script), {
        timeoutMs: 1_000,
        deadlineAfter: 'begun',
      });
      expect(trial.result).toMatchObject({ outcome: 'TimedOut' });
      expect(trial.result.reason).toContain('did not end within 1 s');
      expect(trial.undone).toMatchObject({ kind: 'thawed', by: 'session', exitCode: 0 });
      expect(await trial.log()).toEqual(['thaw [begun]']);
      await trial.deleted();
    });

    it('kills a freeze that hangs and ignores SIGTERM, and thaws (SNAP-H5)', async () => {
      const script = 'trap "" TERM; echo begun; while :; do sleep 1; done';
      const trial = await trials.open(shell, freezing(script), {
        timeoutMs: 500,
        deadlineAfter: 'begun',
      });
      expect(trial.result).toMatchObject({ outcome: 'TimedOut' });
      expect(trial.undone).toMatchObject({ kind: 'thawed', exitCode: 0 });
      expect(await trial.log()).toHaveLength(1);
      await trial.deleted();
    });

    it('thaws a freeze that hangs when its input ends (SNAP-H4)', async () => {
      let opened: ProcessSession | null = null;
      const trial = await trials.open(shell, freezing('echo x; exec sleep 600'), {
        onOpen: (stream) => {
          opened = stream;
        },
        onOutput: () => void opened?.endStdin(),
      });
      expect(trial.result.outcome).toBe('Failed');
      expect(trial.undone).toMatchObject({ kind: 'thawed', by: 'deadman', exitCode: 0 });
      expect(await trial.log()).toEqual(['thaw [x]']);
    });

    it('thaws once although its shell loses the exit code of the process that thaws', async () => {
      // `wait` fails for the process that thaws: $pid is set for that of the freeze only.
      const losing = 'wait() { command wait "$1" || return; [ -n "$pid" ] || return 127; }';
      const trial = await trials.open(shell, freezing('echo x'), {
        edit: (input) => input.replace('\n', `\n${losing}\n`),
      });
      expect(await trial.session?.thaw(PATIENCE_MS)).toMatchObject({ kind: 'thawed', exitCode: 0 });
      await trial.deleted();
      expect(await trial.log()).toEqual(['thaw [x]']);
    });

    it('reports the exit of its client', async () => {
      const trial = await trials.open(shell, speaking('read -r a; echo ready; exec sleep 1'));
      const end = await trial.session?.ended;
      expect(end).toMatchObject({ kind: 'broken' });
      expect(end?.reason).toContain('ended by itself, with exit code 0');
      await trial.deleted();
    });

    it('reports the kill of its client by SIGKILL', async () => {
      const script = 'read -r a; echo ready; while read -r b; do :; done # the client';
      const trial = await trials.open(shell, speaking(script));
      expect(killOf(trial.stream.child.pid, 'the client')).toBeGreaterThan(0);
      const end = await trial.session?.ended;
      expect(end).toMatchObject({ kind: 'broken' });
      expect(end?.reason).toContain('137');
      await trial.deleted();
    });

    it('fails when its client exits before it is ready', async () => {
      const trial = await trials.open(
        shell,
        speaking('echo "ERROR 1045: access denied" >&2; exit 1'),
      );
      expect(trial.result).toMatchObject({ outcome: 'Failed', exitCode: 1 });
      expect(trial.result.stdout.text).toBe('ERROR 1045: access denied\n');
    });

    it('terminates a client that is not ready in time and reads no input (SNAP-H5)', async () => {
      const trial = await trials.open(shell, speaking('echo here; exec sleep 600'), {
        timeoutMs: 500,
        deadlineAfter: 'here',
      });
      expect(trial.result.outcome).toBe('TimedOut');
      expect(trial.undone).toMatchObject({ kind: 'thawed', by: 'session' });
      await trial.deleted();
    });

    it('thaws when all of its processes except the client are killed (SNAP-H4)', async () => {
      const trial = await trials.open(shell, client);
      // At least one is killed; the others may exit with it before they get the signal.
      expect(killOf(trial.stream.child.pid, 'lifehook-holder')).toBeGreaterThan(0);
      await trial.thawed();
      expect((await trial.log()).at(-1)).toBe('thaw: end');
      expect(await trial.session?.ended).toMatchObject({ kind: 'broken' });
    });

    it('reports that nothing will thaw when all of its processes are killed', async () => {
      const trial = await trials.open(shell, commands);
      trial.stream.killGroup('SIGKILL');
      const end = await trial.session?.ended;
      expect(end).toMatchObject({ kind: 'lost' });
      expect(end?.reason).toContain('nothing in the container thaws by itself any more');
    });

    it.each([
      ['commands', freezing('head -c 1048576 /dev/zero | tr "\\0" "x"; echo; echo last')],
      [
        'a client',
        speaking(
          'read -r a; head -c 1048576 /dev/zero | tr "\\0" "x"; echo; echo ready; read -r b',
        ),
      ],
    ] as const)('accepts 1 MiB of output of %s', async (_kind, shape) => {
      let bytes = 0;
      const trial = await trials.open(shell, shape, {
        onOpen: ({ child }) => {
          child.stderr?.on('data', (chunk: Uint8Array) => {
            bytes += chunk.length;
          });
        },
      });
      expect(trial.result.outcome).toBe('Succeeded');
      expect(trial.result.stdout.text.length).toBeLessThanOrEqual(64 * 1024);
      expect(await trial.session?.thaw(PATIENCE_MS)).toMatchObject({ kind: 'thawed', exitCode: 0 });
      expect(bytes).toBeGreaterThan(1_048_576);
    });

    it('thaws although its connection is silent and blocked by output', async () => {
      const flood = 'echo frozen; { sleep 0.5; head -c 1000000 /dev/zero >&2; } >/dev/null &';
      const trial = await trials.open(shell, within(10, freezing(flood)));
      trial.stream.silence();
      trial.stream.child.stderr?.removeAllListeners('data');
      trial.stream.child.stderr?.pause();
      await trial.thawed();
    });

    it('ignores forged reports of the application, which cannot read the nonce (SNAP-H3)', async () => {
      const lies =
        'for w in "timing eof" frozen "thawed 0" "ended 0"; do echo "$nonce $w"; echo "lifehook-holder $w"; done; sleep 600';
      const trial = await trials.open(shell, freezing(lies), {
        timeoutMs: 1_000,
        deadlineAfter: 'lifehook-holder ended 0',
      });
      expect(trial.result.outcome).toBe('TimedOut');
      // The application cannot read the nonce anywhere.
      const spy =
        'env; for p in /proc/[0-9]*/cmdline; do tr "\\0" " " <$p; echo; done 2>/dev/null | grep lifehook-holder; ls -l /proc/$$/fd; echo end';
      const spied = await trials.open(shell, freezing(spy));
      const output = await allOutputOf(spied);
      expect(output).toContain('lifehook-holder');
      expect(output).not.toMatch(/[0-9a-f]{32}/);
    });

    it('starts nothing when the connection ends before all input has arrived (SNAP-H1)', async () => {
      const { openExec, sessions } = processWorld(shell);
      const action = commands('/dev/stderr');
      const command = holderArguments(action, { windowSeconds: 2 });
      const input = holderInput('abcdef');
      for (const part of ['', 'abcdef', input.slice(0, -8)]) {
        const stream = await openExec({ namespace: 'n', pod: 'p', command });
        await stream.write(Buffer.from(part));
        await stream.endStdin();
        expect((await buffer(stream.stdout)).toString()).toBe('');
        expect((await buffer(stream.stderr)).toString()).toBe('');
      }
      expect(sessions).toHaveLength(3);
    });
  });
}

// One shell is enough: the client handles a helper that stops answering, in the same way for every shell.
it.concurrent.each([
  ['commands', commands],
  ['a client', client],
])(
  'a session is lost soon after its window when it stops answering, with %s',
  async (_kind, shape) => {
    const trial = await trials.open(['dash'], shape);
    // Five renewals take longer than the window plus our timeout, so each answer is needed.
    for (let renewals = 1; renewals <= 5; renewals += 1) {
      await trial.pass(LONG_WINDOW / 3);
      await trial.answered(renewals);
    }
    trial.stream.killGroup('SIGSTOP');
    await trial.pass(LONG_WINDOW + 2);
    const end = await trial.session?.ended;
    trial.stream.killGroup('SIGCONT');
    expect(end).toMatchObject({ kind: 'lost' });
    expect(end?.reason).toContain('has not answered for longer than its window of 600 s');
    await trial.thawed();
  },
);

it('the session helper without "read -t" and "sleep" thaws at the end of its input, and reports it', async () => {
  const shape: Shape = (log) => ({
    freeze: ['/bin/sh', '-c', 'echo was', 'sh', log],
    thaw: ['/bin/sh', '-c', 'echo "thaw $LIFEHOOK_PRIOR" >>"$1"', 'sh', log],
    windowSeconds: LONG_WINDOW,
  });
  const trial = await trials.open(['/bin/dash'], shape, { env: { PATH: '/nowhere' } });
  expect(trial.session?.timing).toBe('eof');
  expect(trial.result.reason).toContain('only when the connection ends');
  await trial.stream.endStdin();
  await trial.thawed();
  expect(await trial.session?.ended).toMatchObject({ kind: 'thawed', by: 'deadman' });
  expect(await trial.log()).toEqual(['thaw was']);
});

it('a session in an image without a shell fails with the requirement', async () => {
  const trial = await trials.open(['/no/such/sh'], commands);
  expect(trial.result.outcome).toBe('Failed');
  expect(trial.result.reason).toContain('A held session needs a POSIX "sh"');
});

it('a session masks secrets in its output', async () => {
  let reported = '';
  const shape = freezing('echo "password is hunter22"');
  const onOutput = (text: string): void => void (reported += text);
  const trial = await trials.open(['dash'], shape, { secrets: ['hunter22'], onOutput });
  expect(await allOutputOf(trial)).toBe('password is ***\n');
  expect(reported).not.toContain('hunter22');
});
