/** Held sessions in containers of the real cluster: with the ash of busybox, and with dash in a Debian. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { execInPod, openExec } from '../../src/kube/exec.ts';
import type { StreamSession } from '../../src/kube/stream-session.ts';
import type { SessionAction } from '../../src/lifecycles/snapshot/kinds.ts';
import {
  type HeldSessionOptions,
  openHeldSession,
} from '../../src/lifecycles/snapshot/session/held-session.ts';
import type { OpenedSession } from '../../src/lifecycles/snapshot/session/session.ts';
import { nodePlatform as platform } from '../../src/platform/node-platform.ts';
import { type ClusterPod, clusterPods } from '../fixtures/kube/cluster-pod.ts';

const DEBIAN = 'docker.io/local/debian:12';
let world: ClusterPod;

beforeAll(async () => {
  world = await clusterPods('session');
  const image = resolve(import.meta.dirname, '../../../shared/cluster/image-debian');
  execFileSync(image, [DEBIAN, 'dash'], { stdio: 'ignore', timeout: 300_000 });
  const sleep = 'while :; do sleep 1; done';
  await world.start('busybox', sleep);
  await world.start('debian', sleep, { image: DEBIAN });
}, 600_000);

afterAll(() => world.remove());

let count = 0;

interface Held extends OpenedSession {
  readonly log: () => Promise<string>;
}

const commands = (log: string): SessionAction => ({
  freeze: ['sh', '-c', `echo freeze >>${log}; echo before`],
  thaw: ['sh', '-c', `echo "thaw $LIFEHOOK_PRIOR" >>${log}`],
  windowSeconds: 4,
});

const client = (log: string): SessionAction => ({
  client: [
    'sh',
    '-c',
    `while read -r l; do echo "$l" >>${log}; echo "$l"; done; echo end >>${log}`,
  ],
  freeze: ['freeze'],
  ready: 'freeze',
  thaw: ['thaw'],
  windowSeconds: 4,
});

async function open(
  pod: string,
  shape: (log: string) => SessionAction,
  options: Partial<HeldSessionOptions> = {},
): Promise<Held> {
  count += 1;
  const file = `/tmp/log-${count}`;
  const { namespace } = world;
  const opened = await openHeldSession({
    openExec: async (exec) => openExec(world.cluster.connection, exec),
    target: { namespace, pod },
    action: shape(file),
    timeoutMs: 20_000,
    platform,
    random: Math.random,
    ...options,
  });
  const log = async (): Promise<string> => {
    let text = '';
    await execInPod(world.cluster.connection, {
      namespace,
      pod,
      command: ['sh', '-c', `cat ${file} 2>/dev/null`],
      onOutput: (_stream, bytes) => {
        text += Buffer.from(bytes).toString();
      },
    });
    return text.trim().replaceAll('\n', ', ');
  };
  return { ...opened, log };
}

/** Nothing that is written arrives any more, and nobody is told. */
function mutable(stream: StreamSession, isMuted: () => boolean): StreamSession {
  const write = stream.write.bind(stream);
  stream.write = async (bytes) => (isMuted() ? true : write(bytes));
  return stream;
}

const wait = { timeout: 15_000, interval: 200 };

describe.each([
  ['busybox', 'read'],
  ['debian', 'sleep'],
])('in %s', (pod, timing) => {
  describe.each([
    ['commands', commands, 'freeze, thaw before'],
    ['a client', client, 'freeze, thaw, end'],
  ])('with %s', (_kind, shape, thawed) => {
    it('is held past its window, and thaws when it is told to', async () => {
      const { session, result, log } = await open(pod, shape);
      expect(result.outcome).toBe('Succeeded');
      expect(session?.timing).toBe(timing);
      await new Promise((go) => setTimeout(go, 6_000));
      expect(await log()).toBe('freeze');
      const end = await session?.thaw(5_000);
      expect(end).toMatchObject({ kind: 'thawed', by: 'session', exitCode: 0 });
      expect(await log()).toBe(thawed);
    });

    it('thaws when the connection is torn', async () => {
      const { session, log } = await open(pod, shape, {
        openExec: async (exec) => openExec(world.fragile, exec),
      });
      const tornMs = Date.now();
      world.proxy.reset();
      expect(await session?.ended).toMatchObject({ kind: 'lost' });
      // A client may die of what it has to say when nobody is there; its session ends with it.
      await expect.poll(log, wait).toMatch(/thaw/);
      expect(Date.now() - tornMs).toBeLessThan(5_000);
    });

    it('thaws within its window when the connection is silent', async () => {
      let muted = false;
      const { session, log } = await open(pod, shape, {
        openExec: async (exec) =>
          mutable(await openExec(world.cluster.connection, exec), () => muted),
      });
      muted = true;
      const silentMs = Date.now();
      expect(await session?.ended).toMatchObject({ kind: 'thawed', by: 'deadman', exitCode: 0 });
      expect(Date.now() - silentMs).toBeLessThan(7_000);
      expect(await log()).toBe(thawed);
    });
  });

  it('ends a freeze that hangs at the deadline, and thaws', async () => {
    const hanging = (log: string): SessionAction => ({
      ...commands(log),
      freeze: ['sh', '-c', 'echo begun; exec sleep 300'],
    });
    const { result, undone, log } = await open(pod, hanging, { timeoutMs: 2_000 });
    expect(result.outcome).toBe('TimedOut');
    expect(undone).toMatchObject({ kind: 'thawed', by: 'session', exitCode: 0 });
    expect(await log()).toBe('thaw begun');
  });

  it('leaves no process behind', async () => {
    let text = '';
    const script = 'for p in /proc/[0-9]*; do tr "\\0" " " <$p/cmdline; echo; done 2>/dev/null';
    const list = async (): Promise<string> => {
      text = '';
      await execInPod(world.cluster.connection, {
        namespace: world.namespace,
        pod,
        command: ['sh', '-c', script],
        onOutput: (_stream, bytes) => {
          text += Buffer.from(bytes).toString();
        },
      });
      return text;
    };
    await expect.poll(list, { timeout: 30_000, interval: 500 }).not.toContain('lifehook-holder');
  });
});

it('says what to do where the image has no shell', async () => {
  const { result, session } = await open('busybox', commands, {
    openExec: async (exec) =>
      openExec(world.cluster.connection, {
        ...exec,
        command: ['nosuch-sh', ...exec.command.slice(1)],
      }),
  });
  expect(session).toBeNull();
  expect(result.outcome).toBe('Failed');
  expect(result.reason).toContain('Nothing was begun. A held session needs a POSIX "sh"');
});
