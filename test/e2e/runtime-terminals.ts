/** The behaviour that every runner must give a terminal in a container. */
import { describe, expect, it } from 'vitest';
import { finish, textOf, type Stand } from './runtime-stand.ts';
import { until } from './runtime-watching.ts';
import { logOf, plain, said, sh } from './runtime-words.ts';

export function describeTerminals(name: string, stand: () => Stand): void {
  describe(`a terminal of the ${name} runner`, () => {
    it('is a terminal for a command, with the requested size', async () => {
      const container = await stand().run('sleep 600');
      const session = container.exec(
        sh('read x; tty && stty -a; echo "got $x"; exit 4', { stdin: true, tty: true }),
      );
      session.resize({ columns: 101, rows: 43 });
      await session.write(Buffer.from('line\r'));
      const { stdout, exitCode } = await finish(session);
      expect(exitCode).toBe(4);
      expect(stdout).toMatch(/\/dev\/(pts|console)/);
      expect(stdout).toContain('got line\r\n');
      expect(stdout).toContain('rows 43; columns 101');
      await container.kill();
    });

    it('has all that short commands print, and echoes once', async () => {
      const container = await stand().run('sleep 600');
      const script = sh('read x; echo "got $x"; exit 4', { stdin: true, tty: true });
      const one = async (): Promise<object> => {
        const session = container.exec(script);
        await session.write(Buffer.from('line\r'));
        return finish(session);
      };
      const all = { stdout: 'line\r\ngot line\r\n', stderr: '', exitCode: 4 };
      for (let round = 0; round < 15; round += 1) {
        expect(await Promise.all([one(), one(), one(), one()])).toEqual([all, all, all, all]);
      }
      await container.kill();
    });

    it('says that a command of a terminal is missing', async () => {
      const container = await stand().run('sleep 600');
      const missing = container.exec({ ...plain, argv: ['no-such-program'], tty: true });
      await expect(missing.exited).rejects.toMatchObject({ reason: 'StartError', exitCode: 127 });
      await container.kill();
    });

    it('kills a command of a terminal that no client holds any more', async () => {
      const container = await stand().run('sleep 600');
      const session = container.exec(sh('echo $$ >tmp/own; sleep 600', { stdin: true, tty: true }));
      const has = async (script: string): Promise<boolean> =>
        (await finish(container.exec(sh(script)))).exitCode === 0;
      await until(() => has('test -s tmp/own'));
      session.close();
      await until(() => has('! kill -0 $(cat tmp/own)'));
      await container.kill();
    });

    it('is a terminal for the container', async () => {
      const container = await stand().run('tty; while read x; do echo "<$x>"; done', {
        stdin: true,
        tty: true,
      });
      const session = container.attach();
      const text = textOf(session.stdout);
      await until(said(container, '/dev/'));
      await session.write(Buffer.from('abc\r'));
      await until(said(container, '<abc>'));
      await session.write(Buffer.from('\u0004'));
      expect(await container.ended).toMatchObject({ exitCode: 0 });
      expect(await text).toContain('abc\r\n<abc>\r\n');
      expect(await logOf(container)).toMatch(/^\/dev\//);
    });
  });
}
