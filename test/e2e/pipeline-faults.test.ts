/**
 * The state that a killed session leaves, and input that a session refuses before it runs anything. These tests need no
 * cluster.
 */
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { pidIn } from '../fixtures/processes/attempt.ts';
import { ALONE, emptyBuild, type Project, shellHook, type Started } from './pipeline-stand.ts';

/** Kills a session. The process of its hook outlives the session, and is killed at the end of the test. */
async function killedIn(alone: Project, running: Started): Promise<void> {
  await running.seen('begun ');
  const [, text = ''] = /begun (\d+)/u.exec(running.out()) ?? [];
  const child = pidIn(text);
  // A line is in the record of the session a moment after it is on the terminal.
  await vi.waitFor(() => {
    expect(alone.events()).toContainEqual(expect.objectContaining({ line: 'seen' }));
  }, PATIENCE);
  running.child.kill('SIGKILL');
  await running.ended;
  onTestFinished(() => {
    process.kill(child, 'SIGKILL');
  });
}

const PATIENCE = { timeout: 60_000, interval: 20 };
const STAYS = 'echo begun $$; echo seen >&2; exec sleep 600';
const RUNS = ['runs', 'list', '--no-cluster', '--lifecycle', 'pipeline'];

describe('a session that is killed', () => {
  it('is interrupted in the history, with what its hook has printed', async () => {
    using alone = emptyBuild({ ofBuild: `{ before: [${shellHook(STAYS)}] }` });
    await killedIn(alone, alone.start(['build', '--push'], ALONE));
    const history = await alone.lifehook('pipeline', 'history');
    expect(history.stdout).toMatch(/^[0-9a-f]{8} +build +\S+ +interrupted$/mu);
    const listed = await alone.lifehook('pipeline', 'history', '-o', 'json');
    const [kept] = JSON.parse(listed.stdout) as { id: string; state: string }[];
    expect(kept?.state).toBe('Interrupted');
    const id = kept?.id ?? '';
    expect((await alone.lifehook(...RUNS)).stdout).toMatch(
      new RegExp(`pipeline +build ${id} .* Unknown`, 'u'),
    );
    const shown = await alone.lifehook('runs', 'show', id, '--no-cluster');
    expect(shown.stdout).toMatch(/build\/before\/0: Unknown/u);
    expect(shown.stdout).toMatch(/Its session was killed/u);
    expect(shown.stdout).toMatch(/\| begun \d+\n *\| seen\n/u);
    const replayed = await alone.lifehook('pipeline', 'replay', id);
    expect(replayed.stdout).toMatch(/interrupted: the session was killed[^\n]*\n$/u);
  });

  it('is interrupted also where no hook had begun', async () => {
    using alone = emptyBuild({});
    const text = alone.read('skaffold.yaml').replace("'true'", () => JSON.stringify(STAYS));
    alone.write('skaffold.yaml', text);
    await killedIn(alone, alone.start(['build', '--push'], ALONE));
    expect((await alone.lifehook('pipeline', 'history')).stdout).toMatch(/ interrupted$/mu);
    expect((await alone.lifehook(...RUNS)).stdout).toMatch(/ build [0-9a-f]{8} .* Unknown /u);
  });
});

describe('a port for the events that is taken', () => {
  async function takenPort(): Promise<string> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => {
      server.close();
    });
    return String((server.address() as AddressInfo).port);
  }

  it.each(['--http-port', '--rpc-http-port', '--rpc-port'])(
    'is an error before anything runs where %s names it',
    async (option) => {
      using alone = emptyBuild({ ofBuild: `{ before: [${shellHook('echo ran')}] }` });
      const port = await takenPort();
      const { code, stdout, stderr } = await alone.start(['build', '--push', option, port], ALONE)
        .ended;
      expect(code).toBe(1);
      expect(stdout).not.toContain('ran');
      expect(stderr).toContain(
        `error LHL605: The events cannot be served on port ${port} of 127.0.0.1, which ${option} asks for: another program listens there.`,
      );
    },
  );

  it('is a warning where it is that of the pipeline whose hook runs this one', async () => {
    using alone = emptyBuild({ ofBuild: `{ before: [${shellHook('echo ran')}] }` });
    const env = { ...ALONE, LIFEHOOK_OUTPUT: '/o', SKAFFOLD_HTTP_PORT: await takenPort() };
    const { code, stdout, stderr } = await alone.start(['build', '--push'], env).ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining('ran')]);
    expect(stderr).toContain('LHL601');
  });
});
