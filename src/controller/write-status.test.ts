import { describe, expect, it } from 'vitest';

import { SimBench } from '../../test/sim/controller/sim-bench.ts';
import { type Widget, widgets } from '../../test/sim/controller/sample-controller.ts';
import { writeStatusIfChanged } from './write-status.ts';

describe('writeStatusIfChanged', () => {
  it('writes only a changed status, returns the new object and rejects a stale one (CTRL-W5)', async () => {
    const bench = new SimBench();
    const object = bench.api.create(widgets, {
      metadata: { namespace: 'ns', name: 'w' },
    }) as Widget;
    const write = { client: bench.client, resource: widgets, status: { children: 2 } };
    const after = await bench.until(writeStatusIfChanged({ ...write, object }));
    expect(after.status).toEqual({ children: 2 });
    expect(after.metadata?.resourceVersion).not.toBe(object.metadata?.resourceVersion);
    // The status is equal to the stored one, so no request is sent.
    const { revision } = bench.api;
    expect(await bench.until(writeStatusIfChanged({ ...write, object: after }))).toBe(after);
    expect([bench.api.revision, bench.writes]).toEqual([revision, 1]);
    // The object has changed since it was read, so its status must not be replaced.
    const stale = writeStatusIfChanged({ ...write, object, status: { children: 3 } });
    await expect(bench.until(stale)).rejects.toMatchObject({ code: 409 });
  });

  it('takes an absent status for an empty one, and passes signal and timeout on', async () => {
    const bench = new SimBench();
    const object = bench.api.create(widgets, {
      metadata: { namespace: 'ns', name: 'w' },
    }) as Widget;
    const { signal } = new AbortController();
    const sent: unknown[] = [];
    const client = {
      ...bench.client,
      replaceStatus: (...[, , options]: Parameters<typeof bench.client.replaceStatus>) => {
        sent.push(options);
        return Promise.reject(new Error('seen'));
      },
    } as typeof bench.client;
    const write = { client, resource: widgets, object };
    expect(await writeStatusIfChanged({ ...write, status: {} })).toBe(object);
    const status = { children: 1 };
    const all = { signal, timeoutMs: 7 };
    await expect(writeStatusIfChanged({ ...write, status, ...all })).rejects.toThrow('seen');
    await expect(writeStatusIfChanged({ ...write, status })).rejects.toThrow('seen');
    expect(sent).toEqual([all, {}]);
  });
});
