/** Sessions in containers of the real cluster: with the ash of busybox, and with dash in a Debian image. */
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
import { loadImage } from './images.ts';

const DEBIAN = 'docker.io/local/debian:12';
let world: ClusterPod;

beforeAll(async () => {
  world = await clusterPods('session');
  await loadImage({ name: DEBIAN, packages: ['dash'] });
  const sleep = 'while :; do sleep 1; done';
  await world.start('busybox', sleep);
  await world.start('debian', sleep, { image: DEBIAN });
}, 600_000);

afterAll(() => world.remove());

let count = 0;

/** Seconds; longer than any test, so that the end of the window never causes the thaw. */
const LONG_WINDOW = 1_000;

interface Opening extends Partial<HeldSessionOptions> {
  readonly windowSeconds?: number;
}

interface Held extends OpenedSession {
  readonly log: () => Promise<string>;
}

type Shape = (log: string, windowSeconds: number) => SessionAction;

const commands: Shape = (log, windowSeconds) => ({
  freeze: ['sh', '-c', `echo freeze >>${log}; echo before`],
  thaw: ['sh', '-c', `echo "thaw $LIFEHOOK_PRIOR" >>${log}`],
  windowSeconds,
});

const client: Shape = (log, windowSeconds) => ({
  client: [
    'sh',
    '-c',
    `while read -r l; do echo "$l" >>${log}; echo "$l"; done; echo end >>${log}`,
  ],
  freeze: ['freeze'],
  ready: 'freeze',
  thaw: ['thaw'],
  windowSeconds,
});

async function open(
  pod: string,
  shape: Shape,
  { windowSeconds = LONG_WINDOW, ...options }: Opening = {},
): Promise<Held> {
  count += 1;
  const file = `/tmp/log-${count}`;
  const { namespace } = world;
  const opened = await openHeldSession({
    openExec: async (exec) => openExec(world.cluster.connection, exec),
    target: { namespace, pod },
    action: shape(file, windowSeconds),
    timeoutMs: 120_000,
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

/** A stream that can be muted: then written bytes are lost without an error on either side. */
function mutable(stream: StreamSession, isMuted: () => boolean): StreamSession {
  const write = stream.write.bind(stream);
  stream.write = async (bytes) => (isMuted() ? true : write(bytes));
  return stream;
}

const POLL = { timeout: 60_000, interval: 200 };

describe.each([
  ['busybox', 'read'],
  ['debian', 'sleep'],
])('a session in the image %s', (pod, timing) => {
  describe.each([
    ['commands', commands, 'freeze, thaw before'],
    ['a client', client, 'freeze, thaw, end'],
  ])('with %s', (_kind, shape, thawed) => {
    it('is held past its window, and thaws on request', async () => {
      const windowSeconds = 12;
      const { session, result, log } = await open(pod, shape, { windowSeconds });
      expect(result.outcome).toBe('Succeeded');
      expect(session?.timing).toBe(timing);
      await new Promise((go) => setTimeout(go, (windowSeconds + 2) * 1_000));
      expect(await log()).toBe('freeze');
      const end = await session?.thaw(60_000);
      expect(end).toMatchObject({ kind: 'thawed', by: 'session', exitCode: 0 });
      expect(await log()).toBe(thawed);
    });

    it('thaws when its connection breaks', async () => {
      const { session, log } = await open(pod, shape, {
        openExec: async (exec) => openExec(world.fragile, exec),
      });
      world.proxy.reset();
      expect(await session?.ended).toMatchObject({ kind: 'lost' });
      // A client may die when its output has no reader, and its session ends with it. So "end" may be missing.
      await expect.poll(log, POLL).toMatch(/thaw/);
    });

    it('thaws after its window when its connection is silent', async () => {
      let muted = false;
      const { session, log } = await open(pod, shape, {
        windowSeconds: 4,
        openExec: async (exec) =>
          mutable(await openExec(world.cluster.connection, exec), () => muted),
      });
      muted = true;
      const silentMs = performance.now();
      expect(await session?.ended).toMatchObject({ kind: 'thawed', by: 'deadman', exitCode: 0 });
      // Limit: ten times the window of 4 s.
      expect(performance.now() - silentMs).toBeLessThan(40_000);
      expect(await log()).toBe(thawed);
    });
  });

  it('kills a freeze that hangs at the deadline, and thaws', async () => {
    const hanging: Shape = (log, windowSeconds) => ({
      ...commands(log, windowSeconds),
      freeze: ['sh', '-c', 'echo begun; exec sleep 3000'],
    });
    const { result, undone, log } = await open(pod, hanging, { timeoutMs: 15_000 });
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
    await expect.poll(list, POLL).not.toContain('lifehook-holder');
  });
});

it('a session in an image without a shell fails with the next step', async () => {
  const { result, session } = await open('busybox', commands, {
    openExec: async (exec) =>
      openExec(world.cluster.connection, {
        ...exec,
        command: ['nosuch-sh', ...exec.command.slice(1)],
      }),
  });
  expect(session).toBeNull();
  expect(result.outcome).toBe('Failed');
  expect(result.reason).toContain('Nothing was started. A held session needs a POSIX "sh"');
});
