/** The behaviour that every runner must give a container. */
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeTerminals } from './runtime-terminals.ts';
import { follow, ownMark, sleepers, until } from './runtime-watching.ts';
import { logOf, plain, said, sh } from './runtime-words.ts';
import { finish, neverAborted, openStand, textOf, type Kind, type Stand } from './runtime-stand.ts';

export function describeBehaviours(kind: Kind, supervisor?: 'node'): void {
  const name = kind === 'process' ? 'process' : kind.name;
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand(kind, supervisor);
  });
  afterAll(() => stand[Symbol.asyncDispose]());
  /** Starts a process in another session. Empty under Node, which is no subreaper and so cannot find that process. */
  const leaving = (mark: string): string => (stand.isNative ? `(setsid sleep ${mark} &) ;` : '');

  describe(`a container of the ${name} runner`, () => {
    it('has its environment, and logs its output by stream', async () => {
      const container = await stand.run('echo "$GREETING"; echo oops >&2; printf rest');
      expect(await container.ended).toMatchObject({ exitCode: 0, reason: 'Completed' });
      expect(await logOf(container, 'stdout')).toBe('hello\nrest');
      expect(await logOf(container, 'stderr')).toBe('oops\n');
      const [first] = (await readFile(container.logPath, 'utf8')).split('\n');
      expect(first).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z std(out|err) F /);
      await container.remove();
      expect(stand.runtime.get(container.id)).toBeUndefined();
    });

    it.each([
      ['exit 0', { exitCode: 0, signal: null, reason: 'Completed' }],
      ['exit 42', { exitCode: 42, signal: null, reason: 'Error' }],
      ['exit 255', { exitCode: 255, signal: null, reason: 'Error' }],
    ])('reports its exit code after "%s"', async (script, end) => {
      const container = await stand.run(script);
      expect(await container.ended).toMatchObject(end);
      expect(container.end).toMatchObject(end);
      await container.remove();
    });

    it('can handle SIGTERM before it exits, which only its first process gets (POD-R3)', async () => {
      const container = await stand.run(
        'trap "echo bye; exit 3" TERM; echo up; while :; do sleep 0.05; done',
      );
      await until(said(container, 'up'));
      await container.signal('SIGTERM');
      expect(await container.ended).toMatchObject({ exitCode: 3 });
      // Only the shell gets the signal; if its children got it too, the shell would log that.
      expect(await logOf(container)).toBe('up\nbye\n');
      await container.signal('SIGTERM');
    });

    it('is killed with all its processes when it ignores SIGTERM, also those that left its session (POD-R3)', async () => {
      const mark = ownMark(600);
      const away = leaving(mark);
      const container = await stand.run(
        `trap "" TERM; ${away} sleep ${mark} & echo up; while :; do sleep 0.05; done`,
      );
      await until(said(container, 'up'));
      await container.signal('SIGTERM');
      await wait(100);
      expect(container.end).toBeNull();
      // The shell logs "up" as soon as it has forked, but sleep(1) may start later.
      await until(() => sleepers(mark) === (stand.isNative ? 2 : 1));
      await container.kill();
      expect(container.end).toMatchObject({ exitCode: null, signal: 'SIGKILL', reason: 'Error' });
      // On a busy machine a killed process exits only when the scheduler runs it.
      await until(() => sleepers(mark) === 0);
    });

    it('loses neither output nor exit code of a command that exits while its input ends', async () => {
      const container = await stand.run('while :; do sleep 0.05; done');
      for (let round = 0; round < 120; round += 1) {
        const argv = ['sh', '-c', 'echo out; exit 3'];
        const session = container.exec({ argv, stdin: true, tty: false, signal: neverAborted });
        const output = textOf(session.stdout);
        await wait(round % 25);
        session.endStdin();
        expect(await session.exited).toEqual({ exitCode: 3, signal: null });
        expect(await output).toBe('out\n');
      }
      await container.kill();
      await container.remove();
    });

    it('kills its other processes when its first process exits (POD-R3)', async () => {
      const mark = ownMark(600);
      const away = leaving(mark);
      const container = await stand.run(`sleep ${mark} & (sleep ${mark} &) ; ${away} exit 0`);
      expect(await container.ended).toMatchObject({ exitCode: 0 });
      await until(() => sleepers(mark) === 0);
    });

    it('keeps a bounded log with the last line when it floods its output', async () => {
      const logLimitBytes = 1024 * 1024;
      const container = await stand.run(
        'yes 0123456789012345678901234567890123456789012345678901234567890123456789 | head -c 100000000; echo; echo last',
        { logLimitBytes },
      );
      expect(await container.ended).toMatchObject({ exitCode: 0 });
      const [now, before] = await Promise.all([
        readFile(container.logPath),
        readFile(`${container.logPath}.1`),
      ]);
      expect(now.length + before.length).toBeLessThanOrEqual(logLimitBytes + 64 * 1024);
      expect(before.length).toBeGreaterThan(logLimitBytes / 4);
      expect(now.toString().trimEnd().endsWith(' stdout F last')).toBe(true);
    });

    it('splits a line that is longer than a log record', async () => {
      const container = await stand.run('head -c 40000 /dev/zero; echo end');
      await container.ended;
      const records = (await readFile(container.logPath, 'latin1')).trimEnd().split('\n');
      expect(records.map((record) => record.split(' ')[2])).toEqual(['P', 'P', 'F']);
      expect((await logOf(container)).length).toBe(40000 + 'end\n'.length);
    });

    it('is not started twice under one id (POD-R1)', async () => {
      const spec = stand.spec(`twice-${process.pid}`, 'echo once; sleep 600');
      const [one, two] = await Promise.all([stand.runtime.start(spec), stand.runtime.start(spec)]);
      const three = await stand.runtime.start(spec);
      expect([two.pid, three.pid]).toEqual([one.pid, one.pid]);
      await one.kill();
      await one.remove();
    });

    it('is not started without its program, and leaves nothing', async () => {
      const id = `nope-${process.pid}`;
      const spec = { ...stand.spec(id, ''), argv: ['no-such-program'] };
      await expect(stand.runtime.start(spec)).rejects.toMatchObject({
        reason: 'RunContainerError',
        exitCode: 127,
        message: expect.stringMatching(/^exec.*no-such-program/) as string,
      });
      expect(stand.runtime.get(id)).toBeUndefined();
      expect((await stand.reopen()).get(id)).toBeUndefined();
    });

    it('runs commands with its environment and their own streams and exit codes', async () => {
      const container = await stand.run('sleep 600');
      const session = container.exec(sh('cat; echo "$GREETING" >&2; exit 7', { stdin: true }));
      await session.write(Buffer.from('some '));
      await session.write(Buffer.from('input\n'));
      session.endStdin();
      expect(await finish(session)).toEqual({
        stdout: 'some input\n',
        stderr: 'hello\n',
        exitCode: 7,
      });
      const missing = container.exec({ ...plain, argv: ['no-such-program'] });
      await expect(missing.exited).rejects.toMatchObject({ reason: 'StartError', exitCode: 127 });
      await container.kill();
    });

    it('passes a megabyte through a command and back', async () => {
      const container = await stand.run('sleep 600');
      const session = container.exec(sh('cat', { stdin: true }));
      const bytes = Buffer.alloc(1024 * 1024, 'lifehook ');
      const send = async (): Promise<void> => {
        await session.write(bytes);
        session.endStdin();
      };
      const [{ stdout, exitCode }] = await Promise.all([finish(session), send()]);
      expect(exitCode).toBe(0);
      expect(stdout === bytes.toString()).toBe(true);
      await container.kill();
    });

    it('blocks a command whose output is not read', async () => {
      const container = await stand.run('sleep 600');
      const session = container.exec(sh('yes | head -c 20000000; echo > tmp/written'));
      const isWritten = async (): Promise<boolean> => {
        const { exitCode } = await finish(container.exec(sh('test -e tmp/written')));
        return exitCode === 0;
      };
      await wait(500);
      expect(await isWritten()).toBe(false);
      const { stdout } = await finish(session);
      expect(stdout.length).toBe(20000000);
      expect(await isWritten()).toBe(true);
      await container.kill();
    });

    it('kills a command when its session is closed, and all commands when it exits itself', async () => {
      const mark = ownMark(600);
      const container = await stand.run('sleep 600');
      const session = container.exec(sh(`echo up; sleep ${mark}; true`));
      for await (const _ of session.stdout) break;
      session.close();
      await until(() => sleepers(mark) === 0);
      const other = container.exec(sh(`echo up; sleep ${mark}; true`));
      for await (const _ of other.stdout) break;
      await container.kill();
      await other.exited;
      await until(() => sleepers(mark) === 0);
    });

    it('shares its streams with all attached sessions, and reads their input', async () => {
      const container = await stand.run('while read line; do echo "<$line>"; done; echo over', {
        stdin: true,
        stdinOnce: true,
      });
      const [one, two] = [container.attach(), container.attach()];
      const [first, second] = [follow(one), follow(two)];
      // A session is attached once it has received the answer to its own line.
      await one.write(Buffer.from('one\n'));
      await until(() => first.text().includes('<one>\n'));
      await two.write(Buffer.from('two\n'));
      await until(() => second.text().includes('<two>\n'));
      await one.write(Buffer.from('both\n'));
      one.endStdin();
      expect(await Promise.all([one.exited, two.exited])).toMatchObject([
        { exitCode: 0 },
        { exitCode: 0 },
      ]);
      const [whole, part] = await Promise.all([first.whole, second.whole]);
      expect(whole).toBe('<one>\n<two>\n<both>\nover\n');
      expect(part.slice(part.indexOf('<two>'))).toBe('<two>\n<both>\nover\n');
      expect(await Promise.all([textOf(one.stderr), textOf(two.stderr)])).toEqual(['', '']);
      expect(await logOf(container)).toBe(whole);
    });

    it('keeps its stdin open for the next attached session', async () => {
      const container = await stand.run('while read line; do echo "<$line>"; done', {
        stdin: true,
      });
      const one = container.attach();
      await one.write(Buffer.from('first\n'));
      one.endStdin();
      one.close();
      const two = container.attach();
      await two.write(Buffer.from('second\n'));
      await until(said(container, '<second>'));
      await container.kill();
      two.close();
    });
  });
  describeTerminals(name, () => stand);
}
