import { describe, expect, it } from 'vitest';

import { SimBench } from '../../test/sim/controller/sim-bench.ts';
import { type Widget, widgets } from '../../test/sim/controller/sample-controller.ts';
import { writeStatusIfChanged } from './write-status.ts';

describe('writeStatusIfChanged', () => {
  it('writes only a changed status, returns the new object and rejects a stale one', async () => {
    const bench = new SimBench();
    const object = bench.api.create(widgets, {
      metadata: { namespace: 'ns', name: 'w' },
    }) as Widget;
    const write = { client: bench.client, resource: widgets, status: { children: 2 } };
    const after = await bench.until(writeStatusIfChanged({ ...write, object }));
    expect(after.status).toEqual({ children: 2 });
    expect(after.metadata?.resourceVersion).not.toBe(object.metadata?.resourceVersion);
    // Unchanged since: no request at all.
    const { revision } = bench.api;
    expect(await bench.until(writeStatusIfChanged({ ...write, object: after }))).toBe(after);
    expect([bench.api.revision, bench.writes]).toEqual([revision, 1]);
    // And never over something that was not seen.
    const stale = writeStatusIfChanged({ ...write, object, status: { children: 3 } });
    await expect(bench.until(stale)).rejects.toMatchObject({ code: 409 });
  });
});
