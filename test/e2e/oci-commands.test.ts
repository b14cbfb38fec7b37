/** `lifehook oci create|start|state|kill|delete|list` as a user calls them, on the process runner. */
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  expectTrouble,
  openWorkbench,
  shell,
  until,
  type Answer,
  type Workbench,
} from './oci-workbench.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench();
});
afterEach(() => bench.close());

const create = (id: string, ...args: string[]): Promise<Answer> =>
  bench.life(
    'create',
    '--runner',
    'process',
    '--bundle',
    'web',
    '--hooks-dir',
    'none',
    id,
    ...args,
  );
const quiet: Answer = { status: 0, stdout: '', stderr: '' };

interface State {
  readonly status: string;
  readonly pid?: number;
}

const stateOf = async (id: string): Promise<State> =>
  JSON.parse((await bench.life('state', id)).stdout) as State;
/** The status is "stopped" from the end of the process on, a moment before its exit is recorded. */
const untilEnded = (id: string): Promise<void> =>
  until(async () => 'exitCode' in (await stateOf(id)), `the exit of ${id} is recorded`);
const untilPrinted = (id: string, text: string): Promise<void> =>
  until(
    async () => (await bench.read(`state/containers/${id}/stdout.log`)).includes(text),
    `${id} has printed ${text}`,
  );

describe('a container with single commands', () => {
  it('is created, started, killed and deleted, and state reports each status', async () => {
    const script = `trap 'exit 4' TERM; echo ready; while :; do sleep 0.05; done`;
    await bench.bundle('web', {
      process: shell(script),
      hooks: {
        prestart: [bench.hook('a')],
        startContainer: [bench.hook('b')],
        poststart: [bench.hook('c')],
        poststop: [bench.hook('d')],
      },
    });
    expect(await create('web-1')).toEqual(quiet);
    expect(await bench.seen()).toEqual(['prestart a']);
    const created = await stateOf('web-1');
    expect(created).toEqual({
      ociVersion: '1.3.0',
      id: 'web-1',
      status: 'created',
      pid: expect.any(Number),
      bundle: bench.path('web'),
      annotations: { 'com.example.tier': 'web' },
    });
    expect(await bench.life('start', 'web-1')).toEqual(quiet);
    expect(await stateOf('web-1')).toEqual({ ...created, status: 'running' });
    expect(await bench.seen()).toEqual(['prestart a', 'startContainer b', 'poststart c']);
    await untilPrinted('web-1', 'ready');
    expect(await bench.life('kill', 'web-1')).toEqual(quiet);
    await untilEnded('web-1');
    const { pid: _, ...rest } = created;
    const stopped = { ...rest, status: 'stopped', exitCode: 4, signal: null };
    expect(await stateOf('web-1')).toEqual(stopped);
    expect(await bench.life('delete', 'web-1')).toEqual(quiet);
    expect((await bench.seen()).at(-1)).toBe('poststop d');
    expectTrouble(await bench.life('state', 'web-1'), 'LHC211');
  });

  it('keeps the output of its program in its directory', async () => {
    await bench.bundle('web', { process: shell('echo out; echo err >&2') });
    await create('web-1');
    expect(await bench.life('start', 'web-1')).toEqual(quiet);
    await untilEnded('web-1');
    expect(await bench.read('state/containers/web-1/stdout.log')).toBe('out\n');
    expect(await bench.read('state/containers/web-1/stderr.log')).toBe('err\n');
  });

  it('is listed as text and as JSON', async () => {
    await bench.bundle('web', { process: shell('kill -KILL $$') });
    expect((await bench.life('list')).stdout).toBe('ID   STATUS   PID   RUNNER   EXIT   BUNDLE\n');
    expect(await bench.list()).toEqual([]);
    await create('two');
    await create('one');
    await bench.life('start', 'two');
    await untilEnded('two');
    const { pid } = await stateOf('one');
    const rows = (await bench.life('list')).stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    const bundle = bench.path('web');
    expect(rows).toEqual([
      ['ID', 'STATUS', 'PID', 'RUNNER', 'EXIT', 'BUNDLE'],
      ['one', 'created', String(pid), 'process', bundle],
      ['two', 'stopped', 'process', 'SIGKILL', bundle],
    ]);
    expect(await bench.list()).toMatchObject([
      { state: { id: 'one', status: 'created', pid }, runner: 'process', exit: null },
      { state: { id: 'two', status: 'stopped' }, exit: { exitCode: null, signal: 'SIGKILL' } },
    ]);
  });

  it('is listed next to one whose files are damaged, which is listed as unknown with the reason', async () => {
    await bench.bundle('web', { process: shell('exit 0') });
    await create('good');
    await create('torn');
    const phase = await bench.read('state/containers/torn/phase.json');
    await bench.write('state/containers/torn/phase.json', '{"name":', 0o600);
    const { status, stdout, stderr } = await bench.life('list');
    expect({
      status,
      rows: stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2)),
    }).toEqual({
      status: 0,
      rows: [['ID', 'STATUS'], ['good', 'created'], ['torn', 'unknown'], ['']],
    });
    expect(stderr).toContain('LHC217');
    expect(await bench.list()).toMatchObject([
      { state: { id: 'good', status: 'created' } },
      { state: { id: 'torn', status: 'unknown' }, problem: { code: 'LHC217' } },
    ]);
    expectTrouble(await bench.life('state', 'torn'), 'LHC217');
    await bench.write('state/containers/torn/phase.json', phase, 0o600);
  });

  it('accepts signal names with and without SIG in any case, and refuses an unknown signal', async () => {
    await bench.bundle('web', {
      process: shell(`trap 'exit 5' USR1; echo ready; while :; do sleep 0.05; done`),
    });
    await create('web-1');
    await bench.life('start', 'web-1');
    expectTrouble(await bench.life('kill', 'web-1', 'WHATEVER'), 'LHG013');
    expect((await stateOf('web-1')).status).toBe('running');
    await untilPrinted('web-1', 'ready');
    expect(await bench.life('kill', 'web-1', 'usr1')).toEqual(quiet);
    await untilEnded('web-1');
    expect(await stateOf('web-1')).toMatchObject({ exitCode: 5 });
  });

  it('is killed and removed by delete --force, with its poststop hooks', async () => {
    await bench.bundle('web', {
      process: shell('sleep 100'),
      hooks: { poststop: [bench.hook('a')] },
    });
    await create('web-1');
    await bench.life('start', 'web-1');
    const { pid = 0 } = await stateOf('web-1');
    expect(await bench.life('delete', '--force', 'web-1')).toEqual(quiet);
    expect(await bench.seen()).toEqual(['poststop a']);
    expect(await bench.list()).toEqual([]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('fails to start with exit code 3 when a startContainer hook fails, and is deleted', async () => {
    await bench.bundle('web', {
      process: shell('echo never'),
      hooks: { startContainer: [bench.hook('a', 2)], poststop: [bench.hook('b')] },
    });
    expect(await create('web-1')).toEqual(quiet);
    const answer = await bench.life('start', 'web-1');
    expectTrouble(answer, 'LHC220', 3);
    expect(answer.stderr).toContain('startContainer hook #0 of container web-1');
    expect(await bench.seen()).toEqual(['startContainer a', 'poststop b']);
    expect(await bench.list()).toEqual([]);
  });
});

describe('commands at the wrong time', () => {
  it.each(['start', 'state', 'kill', 'delete'])('%s refuses an unknown id', async (verb) => {
    const answer = await bench.life(verb, 'nobody');
    expectTrouble(answer, 'LHC211');
    expect(answer.stderr).toContain('lifehook oci list');
  });

  it('are refused in the wrong state, which the error names', async () => {
    await bench.bundle('web', { process: shell('exit 0') });
    await create('web-1');
    const early = await bench.life('delete', 'web-1');
    expectTrouble(early, 'LHC214');
    expect(early.stderr).toContain('Container web-1 cannot be deleted: it is created');
    expect(early.stderr).toContain('lifehook oci delete --force web-1');
    await bench.life('start', 'web-1');
    await untilEnded('web-1');
    for (const [verb, what] of [
      ['start', 'started'],
      ['kill', 'sent a signal'],
    ] as const) {
      const late = await bench.life(verb, 'web-1');
      expectTrouble(late, 'LHC214');
      expect(late.stderr).toContain(`Container web-1 cannot be ${what}: it is stopped`);
    }
    expect(await stateOf('web-1')).toMatchObject({ status: 'stopped', exitCode: 0 });
  });

  it('refuse an id that is in use, and do not change its container', async () => {
    await bench.bundle('web', { hooks: { createRuntime: [bench.hook('a')] } });
    await create('web-1');
    const before = await stateOf('web-1');
    expectTrouble(await create('web-1'), 'LHC212');
    expect(await stateOf('web-1')).toEqual(before);
    expect(await bench.seen()).toEqual(['createRuntime a']);
  });

  it('start one program when two commands start the same container at once', async () => {
    await bench.bundle('web', {
      process: shell('sleep 100'),
      hooks: { poststart: [bench.hook('a')] },
    });
    await create('web-1');
    const answers = await Promise.all([bench.life('start', 'web-1'), bench.life('start', 'web-1')]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([0, 1]));
    expect(await bench.seen()).toEqual(['poststart a']);
  });
});
