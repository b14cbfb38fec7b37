/** The thaw of a session whose helper has no connection to this process: it thaws by itself (SNAP-G14). */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { bareResult, neverCancelled } from '../../../engine/act.ts';
import type { Order } from './decide.ts';
import type { AttemptWorld } from './run-attempt.ts';
import { type SessionThaw, thawBySession } from './run-session.ts';

const target = {
  podName: 'a',
  podUID: 'p',
  containerName: 'db',
  containerID: 'sim://0',
  restartCount: 0,
};
const running = { name: 'db', containerID: 'sim://0', restartCount: 0, state: { running: {} } };
const podWith = (uid: string, container: object = running): Pod =>
  ({ metadata: { uid }, status: { phase: 'Running', containerStatuses: [container] } }) as Pod;

interface Given {
  /** The pod of that name on the server. */
  readonly pod: Pod;
  /** The same, once the probe has answered that nothing is frozen; absent: there is no probe. */
  readonly podAfterProbe?: Pod;
}

/** Thaws a session of commands. Every wait ends at once. */
async function thaw(given: Given): Promise<SessionThaw & { readonly commands: number }> {
  let { pod } = given;
  let nowMs = 0;
  let commands = 0;
  const after = (ms: number, act: () => void): (() => void) => {
    nowMs += ms;
    queueMicrotask(act);
    return () => undefined;
  };
  const exec = () => {
    pod = given.podAfterProbe ?? pod;
    return Promise.resolve({ outcome: 'exited', exitCode: 1 });
  };
  const world = {
    namespace: 'ns',
    hookUid: 'u',
    signal: neverCancelled,
    context: {
      platform: { clock: { nowMs: () => nowMs, monotonicMs: () => nowMs }, timers: { after } },
      client: { get: () => Promise.resolve(pod) },
      thawing: { exec },
      observe: () => undefined,
    },
    resolved:
      given.podAfterProbe === undefined
        ? {}
        : { probe: { command: ['is-frozen'], timeoutSeconds: 1 } },
    sessions: { held: () => null },
    session: { freeze: ['freeze'], thaw: ['thaw'], windowSeconds: 4 },
    runThaw: () => {
      commands += 1;
      return Promise.resolve(bareResult('Succeeded', 'The command exited with code 0.', 0));
    },
  };
  const order = { target, action: 'post', attempt: 1, timeoutMs: 9_000 } as unknown as Order;
  const made = await thawBySession(order, world as unknown as AttemptWorld & typeof world);
  return { ...made, commands };
}

describe('a session helper without a connection', () => {
  it('has thawed when its window has passed, in a container that still runs', async () => {
    const same = podWith('p');
    for (const given of [{ pod: same }, { pod: same, podAfterProbe: same }]) {
      const { result, thawedBy, commands } = await thaw(given);
      expect([result.outcome, thawedBy, commands]).toEqual(['Succeeded', 'deadman', 0]);
    }
  });

  it('is replaced by the thaw command in a container that restarted', async () => {
    const restarted = { ...running, containerID: 'sim://1', restartCount: 1 };
    const { thawedBy, commands } = await thaw({ pod: podWith('p', restarted) });
    expect([thawedBy, commands]).toEqual(['post', 1]);
  });

  it('has not proven its thaw in a new pod of the same name, which gets no command (SNAP-CASE36)', async () => {
    const recreated = podWith('new');
    for (const given of [
      { pod: recreated },
      { pod: recreated, podAfterProbe: recreated },
      { pod: podWith('p'), podAfterProbe: recreated },
    ]) {
      const { result, thawedBy, commands } = await thaw(given);
      expect([result.outcome, thawedBy, commands]).toEqual(['Failed', undefined, 0]);
      expect(result.reason).toContain('the pod a is deleted, and a new pod has its name');
    }
  });
});
