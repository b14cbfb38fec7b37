import { beforeEach, describe, expect, it } from 'vitest';

import { SimBench } from '../../test/sim/controller/sim-bench.ts';
import { type Widget, widgets } from '../../test/sim/controller/sample-controller.ts';
import { addFinalizer, finalizerStep, removeFinalizer } from './finalizers.ts';

const OURS = 'lifehook.dev/ours';
let bench: SimBench;
let object: Widget;

const finalizing = (): Parameters<typeof addFinalizer<Widget>>[0] => ({
  client: bench.client,
  resource: widgets,
  object,
  finalizer: OURS,
});

const read = (): Widget => bench.api.get(widgets, { namespace: 'ns', name: 'w' }) as Widget;

beforeEach(() => {
  bench = new SimBench();
  const metadata = { namespace: 'ns', name: 'w', finalizers: ['other'] };
  object = bench.api.create(widgets, { metadata }) as Widget;
});

describe('finalizerStep', () => {
  const going = { deletionTimestamp: '2026-01-01T00:00:00Z' };

  it('tells what a pass has to do, from the object alone', () => {
    const step = (metadata: object, after: string[] = []): string =>
      finalizerStep({ metadata }, OURS, { after });
    expect(step({})).toBe('add');
    expect(step({ finalizers: [OURS] })).toBe('work');
    expect(step({ ...going, finalizers: ['other', OURS] })).toBe('cleanUp');
    expect(step({ ...going, finalizers: ['other', OURS] }, ['other'])).toBe('wait');
    expect(step({ ...going, finalizers: [OURS] }, ['other'])).toBe('cleanUp');
    expect(step({ ...going, finalizers: ['other'] })).toBe('gone');
  });
});

describe('addFinalizer', () => {
  it('F1: puts ours beside the others', async () => {
    const after = await bench.until(addFinalizer(finalizing()));
    expect(after.metadata?.finalizers).toEqual(['other', OURS]);
    expect(read().metadata?.finalizers).toEqual(['other', OURS]);
  });

  it('asks nothing of the server when it is there already', async () => {
    object = await bench.until(addFinalizer(finalizing()));
    const { revision } = bench.api;
    expect(await bench.until(addFinalizer(finalizing()))).toBe(object);
    expect(bench.api.revision).toBe(revision);
  });

  it('F2: gets Conflict when somebody has changed the object since it was read', async () => {
    bench.api.replace(
      widgets,
      { ...read(), metadata: { ...read().metadata, labels: { a: 'b' } } },
      'object',
    );
    await expect(bench.until(addFinalizer(finalizing()))).rejects.toMatchObject({ code: 409 });
    expect(read().metadata?.finalizers).toEqual(['other']);
  });

  it('F3: refuses an object that is going', async () => {
    bench.api.delete(widgets, { namespace: 'ns', name: 'w' }, {});
    object = read();
    await expect(addFinalizer(finalizing())).rejects.toThrow(
      'widgets.sample.lifehook.dev ns/w is going',
    );
  });
});

describe('removeFinalizer', () => {
  it('takes ours away and leaves the others', async () => {
    object = await bench.until(addFinalizer(finalizing()));
    const after = await bench.until(removeFinalizer(finalizing()));
    expect(after?.metadata?.finalizers).toEqual(['other']);
  });

  it('is content with an object that is gone', async () => {
    object = await bench.until(addFinalizer(finalizing()));
    bench.api.replace(
      widgets,
      { ...read(), metadata: { ...read().metadata, finalizers: [] } },
      'object',
    );
    bench.api.delete(widgets, { namespace: 'ns', name: 'w' }, {});
    expect(await bench.until(removeFinalizer(finalizing()))).toBe(null);
  });

  it('F2: leaves another object of the same name alone', async () => {
    object = await bench.until(addFinalizer(finalizing()));
    bench.api.replace(
      widgets,
      { ...read(), metadata: { ...read().metadata, finalizers: [] } },
      'object',
    );
    bench.api.delete(widgets, { namespace: 'ns', name: 'w' }, {});
    bench.api.create(widgets, { metadata: { namespace: 'ns', name: 'w', finalizers: [OURS] } });
    await expect(bench.until(removeFinalizer(finalizing()))).rejects.toMatchObject({ code: 409 });
    expect(read().metadata?.finalizers).toEqual([OURS]);
  });
});
