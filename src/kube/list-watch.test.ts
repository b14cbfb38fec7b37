import { describe, expect, it } from 'vitest';

import { listWatch } from './list-watch.ts';
import { configMaps } from './resources.ts';
import {
  added,
  configMap,
  inTurn,
  isWatch,
  line,
  list,
  stream,
  report,
  versionsAsked,
  worldOf,
} from '../../test/fixtures/watch-world.ts';

describe('listWatch on a server without watch lists', () => {
  it('emits the listed objects, Synced, and then each change', async () => {
    const changes = [
      added('b', '6'),
      line('MODIFIED', configMap('a', '7')),
      line('DELETED', configMap('b', '8')),
    ];
    const world = worldOf(inTurn([() => list('5', 'a')], [() => stream(changes, 'stay')]));
    expect(
      await report(world, 5, { namespace: 'n', labelSelector: 'x=y', fieldSelector: 'p=q' }),
    ).toEqual(['Upsert a@5', 'Synced@5', 'Upsert b@6', 'Upsert a@7', 'Delete b@8']);
    expect(world.transport.requests.slice(1).map(({ path }) => path)).toEqual([
      '/api/v1/namespaces/n/configmaps?labelSelector=x%3Dy&fieldSelector=p%3Dq&limit=500',
      '/api/v1/namespaces/n/configmaps?watch=true&allowWatchBookmarks=true&resourceVersion=5' +
        '&timeoutSeconds=300&labelSelector=x%3Dy&fieldSelector=p%3Dq',
    ]);
  });

  it('resumes from the last event or bookmark when a watch breaks (KUBE-W2)', async () => {
    const world = worldOf(
      inTurn(
        [() => list('5')],
        [
          () => stream([added('a', '6'), line('BOOKMARK', configMap('', '9'))], 'break'),
          () => stream([added('b', '10')], 'break'),
          () => stream([added('c', '11')], 'stay'),
        ],
      ),
    );
    expect(await report(world, 6)).toEqual([
      'Synced@5',
      'Upsert a@6',
      'Interrupted: reset (150 ms)',
      'Upsert b@10',
      'Interrupted: reset (150 ms)',
      'Upsert c@11',
    ]);
    expect(versionsAsked(world)).toEqual(['5', '9', '10']);
  });

  it('watches again at once when a watch that delivered events ends normally', async () => {
    const world = worldOf(
      inTurn([() => list('5')], [() => stream([added('a', '6')]), () => stream([added('b', '7')])]),
    );
    expect(await report(world, 3)).toEqual(['Synced@5', 'Upsert a@6', 'Upsert b@7']);
  });

  it('backs off longer each time while watches end at once without an event', async () => {
    const world = worldOf(inTurn([() => list('5')], [() => stream([])]));
    const reported = await report(world, 10);
    expect(reported.slice(1, 5)).toEqual([
      'Interrupted: the server ended it at once (150 ms)',
      'Interrupted: the server ended it at once (300 ms)',
      'Interrupted: the server ended it at once (600 ms)',
      'Interrupted: the server ended it at once (1200 ms)',
    ]);
    expect(reported[9]).toBe('Interrupted: the server ended it at once (3750 ms)');
  });

  it('keeps the order of the server, and reads no more than the consumer asks for (KUBE-W4)', async () => {
    let sent = 0;
    const body = (async function* feed(): AsyncGenerator<Uint8Array> {
      for (; sent < 100; sent += 1) yield Buffer.from(added(`n${sent}`, `${sent + 6}`));
    })();
    const world = worldOf(inTurn([() => list('5')], [() => ({ body })]));
    const { signal } = new AbortController();
    const names: (string | undefined)[] = [];
    for await (const event of listWatch(world.connection, configMaps, { signal })) {
      if (event.type === 'Upsert') names.push(event.object.metadata?.name);
      expect(sent).toBeLessThanOrEqual(names.length + 1);
      if (names.length === 10) break;
    }
    expect(names).toEqual(Array.from({ length: 10 }, (_, index) => `n${index}`));
  });

  it('aborts its watch when the consumer leaves the loop', async () => {
    const world = worldOf(inTurn([() => list('5')], [() => stream([added('a', '6')], 'stay')]));
    await report(world, 2);
    expect(world.transport.requests.find(isWatch)?.signal?.aborted).toBe(true);
  });
});
