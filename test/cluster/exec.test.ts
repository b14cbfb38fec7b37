/** Commands in containers of the real cluster. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { execInPod, type ExecOptions, openExec } from '../../src/kube/exec.ts';
import type { KubeConnection } from '../../src/kube/client.ts';
import type { ExecResult } from '../../src/kube/exec-result.ts';
import { type ClusterPod, clusterPods } from '../fixtures/kube/cluster-pod.ts';

let world: ClusterPod;

beforeAll(async () => {
  world = await clusterPods('k2-exec');
  await world.start('box', 'while :; do echo tick; sleep 1; done');
});

afterAll(() => world.remove());

interface Ran {
  readonly result: ExecResult;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  command: readonly string[],
  options: Partial<ExecOptions> & { connection?: KubeConnection } = {},
): Promise<Ran> {
  const { connection = world.cluster.connection, ...rest } = options;
  const text = { stdout: '', stderr: '' };
  const result = await execInPod(connection, {
    namespace: world.namespace,
    pod: 'box',
    command,
    timeoutMs: 120_000,
    onOutput: (stream, bytes) => {
      text[stream] += Buffer.from(bytes).toString();
    },
    ...rest,
  });
  return { result, ...text };
}

const shell = (script: string): string[] => ['/bin/sh', '-c', script];

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

describe('a command in a container of the real cluster', () => {
  it.each([0, 1, 3, 126, 255])('exits with %i', async (code) => {
    const { result } = await run(shell(`exit ${code}`));
    expect(result).toEqual({ outcome: 'exited', exitCode: code });
  });

  it('has separate output streams and its exact argv', async () => {
    const { stdout, stderr } = await run([
      ...shell('printf "%s|" "$@"; echo oops >&2'),
      'sh',
      'a b',
      '"c"',
      '',
      'é&x=1',
    ]);
    expect({ stdout, stderr }).toEqual({ stdout: 'a b|"c"||é&x=1|', stderr: 'oops\n' });
  });

  it.each([[['/no/such/program']], [['nosuch']], [['/etc']], [[]]])(
    'fails with a known outcome when it does not exist: %j',
    async (command) => {
      const { result } = await run(command);
      expect(result).toMatchObject({ outcome: 'failed', status: { reason: 'InternalError' } });
    },
  );

  it.each([
    [{ pod: 'nosuch' }, 'NotFound'],
    [{ container: 'nosuch' }, 'BadRequest'],
  ])(
    'fails with a known outcome when its pod or container does not exist: %j',
    async (place, reason) => {
      const { result } = await run(['true'], place);
      expect(result).toMatchObject({ outcome: 'failed', status: { reason } });
    },
  );

  it('reads its input to the end, and is answered after it', async () => {
    const text = 'x'.repeat(1_000_000);
    const { result, stdout } = await run(shell('cat; echo the end'), { stdin: chunks(text) });
    expect(result).toEqual({ outcome: 'exited', exitCode: 0 });
    expect(stdout === `${text}the end\n`).toBe(true);
  });

  it('delivers 20 MB to a slow reader without loss, and stops sending while it waits', async () => {
    const total = 20 * 1024 * 1024;
    let received = 0;
    let arrived = 0;
    const { result } = await run(shell(`head -c ${total} /dev/zero`), {
      connection: world.fragile,
      onOutput: async (_stream, bytes) => {
        if (received === 0) {
          await new Promise((resolve) => setTimeout(resolve, 2000));
          arrived = world.proxy.bytesIn;
        }
        received += bytes.length;
      },
    });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
    expect(received).toBe(total);
    expect(arrived).toBeLessThan(total / 2);
  });

  it('has an unknown outcome when its connection breaks, and runs on', async () => {
    const script = 'echo begun; sleep 15; echo done > /tmp/ran-on';
    const { result, stdout } = await run(shell(script), {
      connection: world.fragile,
      onOutput: () => {
        world.proxy.reset();
      },
    });
    expect(result).toMatchObject({ outcome: 'unknown', cause: 'lost' });
    expect(stdout).toBe('');
    const look = (): Promise<string> => run(shell('cat /tmp/ran-on')).then((ran) => ran.stdout);
    await expect.poll(look, { timeout: 60_000, interval: 500 }).toBe('done\n');
  });

  it('has an unknown outcome at its deadline and when it is cancelled', async () => {
    const late = await run(['sleep', '600'], { timeoutMs: 5_000 });
    expect(late.result).toMatchObject({ outcome: 'unknown', cause: 'timedOut' });
    const controller = new AbortController();
    const cancelled = run(shell('echo begun; exec sleep 600'), {
      signal: controller.signal,
      onOutput: () => {
        controller.abort();
      },
    });
    expect((await cancelled).result).toMatchObject({ outcome: 'unknown', cause: 'cancelled' });
  });

  it('exits with 137 when its container exits', async () => {
    await world.start('mortal', 'until [ -e /tmp/end ]; do sleep 0.2; done');
    const { result } = await run(shell('touch /tmp/end; exec sleep 600'), { pod: 'mortal' });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 137 });
  });

  it('has a terminal of the size that it is given', async () => {
    const session = await openExec(world.cluster.connection, {
      namespace: world.namespace,
      pod: 'box',
      command: shell('until stty size | grep -q "31 97"; do sleep 0.2; done; stty size'),
      stdin: true,
      tty: true,
    });
    await session.resize({ columns: 97, rows: 31 });
    let text = '';
    for await (const bytes of session.stdout) text += Buffer.from(bytes).toString();
    expect(text).toContain('31 97');
    expect(await session.ended).toMatchObject({ kind: 'status', status: { status: 'Success' } });
  });
});
