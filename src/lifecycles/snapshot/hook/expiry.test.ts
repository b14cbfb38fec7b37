/** From the expiry of a hook to its thaw, only work that does not wait is done (SNAP-I5). */
import { describe, expect, it } from 'vitest';

import type { SimHost } from '../../../../test/sim/controller/sim-host.ts';
import { failure } from '../../../../test/sim/controller/sim-api.ts';
import { silence } from '../../../../test/sim/controller/silence.ts';
import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { executionHooks } from '../kinds.ts';
import { CUT_RELEASE, CUT_SEEN } from '../names.ts';

const CUT = { [CUT_RELEASE]: 'ab12@2026-01-01T00:00:00.000000Z' };
const PROBED = { probe: { exec: { command: ['probe'] } } };
/** Milliseconds that the reconciles, requests and timers of a thaw may take. */
const SOON_MS = 500;

function changeClient(
  bench: HookBench,
  change: (client: KubeClient, host: SimHost) => KubeClient,
): void {
  const make = bench.makeClient.bind(bench);
  bench.makeClient = (host) => change(make(host), host);
}

/** `answer`: the answer to each write of a status, in place of the server's answer; null: the server answers itself. */
function answerRecords(
  bench: HookBench,
  answer: (host: SimHost, options: Parameters<typeof silence>[1]) => Promise<never> | null,
): void {
  changeClient(bench, (client, host) => ({
    ...client,
    replaceStatus: (resource, object, options) =>
      answer(host, options) ?? client.replaceStatus(resource, object, options),
  }));
}

type Calling = Parameters<typeof silence>[1];

/** Milliseconds that a slow server takes for one answer. */
const SLOW_MS = 1_500;

/** Milliseconds from the first freeze to the first thaw. */
async function frozenForMs(bench: HookBench): Promise<number> {
  await bench.eventually('thawing', () => bench.ran.some(({ command }) => command === 'thaw'));
  const atMs = (verb: string): number =>
    bench.ran.find(({ command }) => command === verb)?.atMs ?? Number.NaN;
  return atMs('thaw') - atMs('freeze');
}

describe('a hook that expires', () => {
  it('while its probes after the cut do not answer is thawed then', async () => {
    const bench = new HookBench();
    for (const name of ['a', 'b']) bench.makePod(name, ['one', 'two']);
    bench.makeHook('h', { ...PROBED, expirationSeconds: 8 });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.behaviours.set('probe', 'hangs');
    await bench.pass(6_000);
    bench.annotate('h', CUT);
    expect(await frozenForMs(bench)).toBeLessThan(8_000 + SOON_MS);
    await bench.eventually('settled', bench.isFree());
    const answers = bench
      .targets()
      .map(({ probes = [] }) => probes.find(({ when }) => when === 'AfterCut')?.outcome);
    expect(answers).toEqual(['Unknown', 'Unknown', 'Unknown', 'Unknown']);
    expect(bench.hook('h')?.status?.release?.cause).toBe('Cut');
  });

  it('while the probes of a controller that was restarted do not answer is thawed then', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makeHook('h', { ...PROBED, expirationSeconds: 8 });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.behaviours.set('probe', 'hangs');
    await bench.pass(2_000);
    bench.annotate('h', CUT);
    await bench.pass(4_000);
    bench.start();
    expect(await frozenForMs(bench)).toBeLessThan(8_000 + SOON_MS);
  });

  it('while no controller runs is thawed by the next one, which asks no probe before', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makeHook('h', { ...PROBED, expirationSeconds: 8 });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.behaviours.set('probe', 'hangs');
    bench.kill();
    bench.annotate('h', CUT);
    await bench.pass(10_000);
    const startedMs = bench.world.elapsedMs;
    const ran = bench.ran.length;
    bench.start();
    await bench.eventually('thawing', () => bench.ran.some(({ command }) => command === 'thaw'));
    expect((bench.ran.at(-1)?.atMs ?? 0) - startedMs).toBeLessThan(SOON_MS);
    expect(bench.commands().slice(ran)).toEqual(['thaw a/db']);
  });

  it('while its probe after the freeze does not answer is thawed then', async () => {
    const bench = new HookBench();
    bench.makePod('a', ['one', 'two']);
    bench.behaviours.set('freeze', { exitCode: 0, ms: 1_000 });
    bench.behaviours.set('probe a/two', 'hangs');
    bench.makeHook('h', { ...PROBED, expirationSeconds: 4 });
    bench.start();
    expect(await frozenForMs(bench)).toBeLessThan(4_000 + SOON_MS);
  });

  it('while the Secrets of its container cannot be read is thawed then', async () => {
    const bench = new HookBench();
    bench.secretsOf = (host) =>
      new Promise((resolve) => {
        host.timers.after(2_000, () => {
          resolve([]);
        });
      });
    bench.makePod('a', ['one', 'two']);
    bench.makeHook('h', { expirationSeconds: 3 });
    bench.start();
    expect(await frozenForMs(bench)).toBeLessThan(3_000 + SOON_MS);
  });

  it('while the server refuses to say whether a pod was deleted is thawed then', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makePod('b');
    bench.makeHook('h', { expirationSeconds: 8 });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    const get = bench.api.get.bind(bench.api);
    bench.api.get = () => {
      throw failure(403, 'Forbidden', 'cannot get resource "pods"');
    };
    bench.removePod('b');
    expect(await frozenForMs(bench)).toBeLessThan(8_000 + SOON_MS);
    await bench.pass(60_000);
    // Pod b is not thawed: another pod may have its name by then.
    expect(bench.commands().filter((each) => each.startsWith('thaw'))).toEqual(['thaw a/db']);
    expect(bench.targets().map(({ thawedBy }) => thawedBy)).toEqual(['post', undefined]);
    bench.api.get = get;
    await bench.eventually('settled', bench.isFree(), 5_000);
    expect(bench.targets().map(({ thawedBy }) => thawedBy)).toEqual(['post', 'gone']);
  });

  it('while the server does not answer whether a pod was deleted is thawed after 2 s', async () => {
    const bench = new HookBench();
    let isSilent = false;
    changeClient(bench, (client, host) => ({
      ...client,
      get: (resource, key, options) =>
        isSilent ? silence(host, options) : client.get(resource, key, options),
    }));
    bench.makePod('a');
    bench.makePod('b');
    bench.makeHook('h', { ...PROBED, expirationSeconds: 8 });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    isSilent = true;
    bench.removePod('b');
    await bench.pass(1_000);
    const ran = bench.ran.length;
    bench.annotate('h', CUT);
    expect(await frozenForMs(bench)).toBeLessThan(8_000);
    expect(bench.commands().slice(ran)).toEqual(['probe a/db', 'thaw a/db']);
  });

  it('while the server does not answer to the record of its probe is thawed 4 s after the cut at most (SNAP-I15)', async () => {
    const bench = new HookBench();
    let isSilent = false;
    answerRecords(bench, (host, options) => (isSilent ? silence(host, options) : null));
    bench.makePod('a');
    bench.makeHook('h', { ...PROBED, expirationSeconds: 30 });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    isSilent = true;
    const cutMs = bench.world.elapsedMs;
    const cutSeen = { [CUT_SEEN]: '2026-01-01T00:00:00.000000Z' };
    bench.annotate('h', cutSeen);
    await bench.pass(100);
    bench.annotate('h', { ...cutSeen, ...CUT });
    await bench.eventually('thawing', () => bench.ran.some(({ command }) => command === 'thaw'));
    const thawedMs = bench.ran.find(({ command }) => command === 'thaw')?.atMs ?? Number.NaN;
    // 2 s for each of the two records that the server does not answer: that of the probe, and that of the thaw.
    expect(thawedMs - cutMs).toBeLessThan(4_000 + SOON_MS);
  });

  it('while the server does not answer to its record is thawed after 2 s', async () => {
    const bench = new HookBench();
    let isSilent = false;
    answerRecords(bench, (host, options) => (isSilent ? silence(host, options) : null));
    bench.makePod('a', ['one', 'two']);
    bench.makeHook('h', { expirationSeconds: 8 });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    isSilent = true;
    expect(await frozenForMs(bench)).toBeLessThan(10_000 + SOON_MS);
    await bench.pass(20_000);
    const thaws = (): string[] => bench.commands().filter((each) => each.startsWith('thaw'));
    expect(thaws()).toEqual(['thaw a/two', 'thaw a/one']);
    const reasons = bench.events().map((each) => each.split(':')[0]);
    expect(reasons).toContain('StatusUnanswered');
    expect(reasons).not.toContain('StatusRefused');
    isSilent = false;
    await bench.eventually('settled', bench.isFree(), 40_000);
    expect(bench.hook('h')?.status?.release?.cause).toBe('Expired');
    expect(bench.targets().map(({ thawedBy }) => thawedBy)).toEqual(['post', 'post']);
    expect(thaws()).toHaveLength(2);
  });

  it('while another client changes it faster than its status can be written is thawed then (SNAP-I5)', async () => {
    const bench = new HookBench();
    let isContended = false;
    const conflict = (): Promise<never> =>
      Promise.reject(failure(409, 'Conflict', 'the object has been modified'));
    answerRecords(bench, () => (isContended ? conflict() : null));
    bench.makePod('a');
    bench.makeHook('h', { expirationSeconds: 8 });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    isContended = true;
    expect(await frozenForMs(bench)).toBeLessThan(8_000 + SOON_MS);
    await bench.pass(20_000);
    isContended = false;
    await bench.eventually('settled', bench.isFree(), 40_000);
    expect(bench.targets().map(({ thawedBy }) => thawedBy)).toEqual(['post']);
    expect(bench.commands()).toEqual(['freeze a/db', 'thaw a/db']);
  });

  it('while a slow server answers each of its records with a conflict is thawed two seconds later (SNAP-I5)', async () => {
    const bench = new HookBench();
    let isSlow = false;
    const slowly = async (host: SimHost, options: Calling): Promise<void> => {
      if (!isSlow) return;
      if ((options?.timeoutMs ?? SLOW_MS) < SLOW_MS) await silence(host, options);
      await new Promise<void>((answer) => host.timers.after(SLOW_MS, answer));
    };
    changeClient(bench, (client, host) => ({
      ...client,
      get: async (resource, key, options) => {
        if (resource.kind === executionHooks.kind) await slowly(host, options);
        return client.get(resource, key, options);
      },
      replaceStatus: async (resource, object, options) => {
        await slowly(host, options);
        if (isSlow) throw failure(409, 'Conflict', 'the object has been modified');
        return client.replaceStatus(resource, object, options);
      },
    }));
    bench.makePod('a');
    bench.makeHook('h', { expirationSeconds: 8 });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    isSlow = true;
    expect(await frozenForMs(bench)).toBeLessThan(8_000 + 2_000 + SOON_MS);
  });
});
