import { afterEach, describe, expect, it } from 'vitest';

import {
  gatedNamed,
  lifecycleOf,
  ProofsStand,
} from '../../../../test/fixtures/rollout/proofs-stand.ts';
import { ApiError } from '../../../kube/api-error.ts';
import { noWebhook, pausedAtRest } from './gate-verdict.ts';

const web = gatedNamed('web');
const api = gatedNamed('api');
const other = gatedNamed('other', 'y');
const unpaused = 'label r5 l4';
const conflict = new ApiError(409, { reason: 'Conflict', message: 'it has changed' });
const armed = { armed: true, reason: 'Armed' };

const opened: ProofsStand[] = [];
const open = async (...given: Parameters<typeof ProofsStand.open>): Promise<ProofsStand> => {
  const stand = await ProofsStand.open(...given);
  opened.push(stand);
  return stand;
};
afterEach(async () => {
  for (const stand of opened.splice(0)) await stand.close();
});

describe('the verdict on the gate', () => {
  it('is unknown until the Deployment itself was tried', async () => {
    const stand = await open([web, api]);
    expect(stand.proofs.of('x/web')).toBeNull();
    expect(await stand.prove(web)).toBe(true);
    expect(stand.proofs.of('x/web')).toMatchObject(armed);
    expect([stand.proofs.of('x/api'), stand.proofs.of('x/none')]).toEqual([null, null]);
    expect(stand.observed).toEqual([
      { type: 'GateProven', namespace: 'x', deployment: 'web', ...armed },
    ]);
  });

  it('is the last one of any Deployment of the namespace (ROLL-AP1)', async () => {
    const stand = await open([web, api, other]);
    for (const one of [web, api, other]) await stand.prove(one);
    stand.answer = unpaused;
    await stand.prove(api);
    expect(stand.proofs.of('x/web')).toMatchObject({ armed: false, reason: 'NotPaused' });
    expect(stand.proofs.of('y/other')).toMatchObject(armed);
  });

  it('stays as it was, and is not reported, when other writers prevent a proof (ROLL-AP3)', async () => {
    const stand = await open([web]);
    stand.answer = conflict;
    expect(await stand.prove(web)).toBe(false);
    expect(stand.proofs.of('x/web')).toBeNull();
    stand.answer = 'label r5 l4 p';
    expect(await stand.prove(web)).toBe(true);
    stand.answer = conflict;
    expect(await stand.prove(web)).toBe(false);
    expect(stand.proofs.of('x/web')).toMatchObject(armed);
    expect(stand.observed).toHaveLength(1);
    expect(stand.woken).toEqual(['x/web']);
  });

  it('stays as it was when the Deployment was deleted during its test (ROLL-AP3)', async () => {
    const stand = await open([web, api]);
    for (const one of [web, api]) await stand.prove(one);
    stand.answer = new ApiError(404, { reason: 'NotFound', message: 'it does not exist' });
    expect(await stand.prove(api)).toBe(false);
    expect(stand.proofs.of('x/web')).toMatchObject(armed);
  });

  it('names the mode without a webhook, which needs no proof', async () => {
    const atRest = await open([web], [lifecycleOf(web, { gate: 'PausedAtRest' })]);
    expect(atRest.proofs.of('x/web')).toBe(pausedAtRest);
    const unserved = await open([web], [lifecycleOf(web)], false);
    expect(unserved.proofs.of('x/web')).toBe(noWebhook);
  });
});

describe('a verdict that changes (ROLL-AP2)', () => {
  it('wakes each Deployment of its namespace that wants the webhook, once', async () => {
    const lifecycles = [
      lifecycleOf(web),
      lifecycleOf(web, {}, 'second'),
      lifecycleOf(api, { gate: 'PausedAtRest' }),
      lifecycleOf(gatedNamed('later')),
      lifecycleOf(other),
    ];
    const stand = await open([web, api, other], lifecycles);
    await stand.prove(web);
    expect(stand.woken.toSorted()).toEqual(['x/later', 'x/web']);
  });

  it('wakes no listener while it stays the same', async () => {
    const stand = await open([web]);
    const wokenAfter = async (answer: string | Error): Promise<number> => {
      stand.answer = answer;
      await stand.prove(web);
      return stand.woken.splice(0).length;
    };
    const counts: number[] = [];
    // The answers mean Armed, NotPaused and NotStamped.
    for (const answer of ['label r5 l4 p', unpaused, 'label r4 l4']) {
      counts.push(await wokenAfter(answer), await wokenAfter(answer));
    }
    expect(counts).toEqual([1, 0, 1, 0, 1, 0]);
  });

  it('wakes no listener that was removed', async () => {
    const stand = await open([web]);
    const received: string[] = [];
    const stop = stand.proofs.listen((key) => received.push(key));
    stop();
    await stand.prove(web);
    expect(received).toEqual([]);
  });
});

describe('the proofs of each period', () => {
  const running = async (
    ...given: Parameters<typeof ProofsStand.open>
  ): Promise<{ stand: ProofsStand; end: AbortController; done: Promise<void> }> => {
    const stand = await open(...given);
    for (const one of given[0]) await stand.prove(one);
    stand.tried.length = 0;
    const end = new AbortController();
    return { stand, end, done: stand.proofs.run(end.signal) };
  };

  it.each([
    [0, 60_000],
    [0.5, 67_500],
    [0.99, 74_850],
  ])(
    'come after a minute and up to a quarter more: %d of it after %d ms (ROLL-AP4)',
    async (...row) => {
      const [chance, ms] = row;
      const stand = await open([web]);
      stand.chance = chance;
      const end = new AbortController();
      const done = stand.proofs.run(end.signal);
      expect(stand.timers.waiting).toEqual([ms]);
      end.abort();
      await done;
      expect([stand.timers.waiting, stand.tried]).toEqual([[], []]);
    },
  );

  it('try one gated Deployment of each namespace, any of them', async () => {
    const { stand, end, done } = await running([
      web,
      api,
      gatedNamed('loose', 'x', 'r4 l4'),
      other,
    ]);
    await stand.timers.expire(60_000);
    await stand.timers.reached(2);
    const [first = ''] = stand.tried.splice(0);
    stand.chance = 0.6;
    await stand.timers.expire(60_000);
    await stand.timers.reached(3);
    expect([first, ...stand.tried].toSorted()).toEqual(['api', 'other', 'web']);
    for (const key of ['x/web', 'x/api']) expect(stand.proofs.of(key)).toMatchObject(armed);
    end.abort();
    await done;
  });

  it('forget the verdict on a namespace without a gated Deployment', async () => {
    const loose = gatedNamed('loose', 'x', 'r4 l4');
    const { stand, end, done } = await running([loose, other]);
    expect(stand.proofs.of('x/loose')).not.toBeNull();
    await stand.timers.expire(60_000);
    await stand.timers.reached(2);
    expect(stand.proofs.of('x/loose')).toBeNull();
    expect(stand.proofs.of('y/other')).toMatchObject(armed);
    end.abort();
    await done;
  });

  it('try a Deployment again that was removed in between', async () => {
    const { stand, end, done } = await running([web, api]);
    await stand.remove(web);
    await stand.timers.expire(60_000);
    await stand.timers.reached(2);
    await stand.add(web);
    expect(stand.proofs.of('x/web')).toBeNull();
    expect(stand.proofs.of('x/api')).toMatchObject(armed);
    end.abort();
    await done;
  });

  it('are none where no webhook is served', async () => {
    const stand = await open([web], [lifecycleOf(web)], false);
    await stand.proofs.run(new AbortController().signal);
    expect(stand.timers.count).toBe(0);
  });
});
