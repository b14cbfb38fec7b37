import { beforeEach, describe, expect, it } from 'vitest';

import { SimBench } from '../../test/sim/controller/sim-bench.ts';
import { type Widget, widgets } from '../../test/sim/controller/sample-controller.ts';
import { addFinalizer, finalizerStep, type FinalizerWrite, removeFinalizer } from './finalizers.ts';

const OURS = 'lifehook.dev/ours';
let bench: SimBench;
let object: Widget;

const finalizing = (): FinalizerWrite<Widget> => ({
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
  const terminating = { deletionTimestamp: '2026-01-01T00:00:00Z' };

  it('decides the next step from the metadata of the object alone', () => {
    const step = (metadata: object, after: string[] = []): string =>
      finalizerStep({ metadata }, OURS, { after });
    expect(step({})).toBe('add');
    expect(step({ finalizers: [OURS] })).toBe('work');
    expect(step({ ...terminating, finalizers: ['other', OURS] })).toBe('cleanUp');
    expect(step({ ...terminating, finalizers: ['other', OURS] }, ['other'])).toBe('wait');
    expect(step({ ...terminating, finalizers: [OURS] }, ['other'])).toBe('cleanUp');
    expect(step({ ...terminating, finalizers: ['other'] })).toBe('gone');
  });
});

describe('addFinalizer', () => {
  it('CTRL-F1: appends our finalizer to the others', async () => {
    const after = await bench.until(addFinalizer(finalizing()));
    expect(after.metadata?.finalizers).toEqual(['other', OURS]);
    expect(read().metadata?.finalizers).toEqual(['other', OURS]);
  });

  it('sends no request when the finalizer is already present', async () => {
    object = await bench.until(addFinalizer(finalizing()));
    const { revision } = bench.api;
    expect(await bench.until(addFinalizer(finalizing()))).toBe(object);
    expect(bench.api.revision).toBe(revision);
  });

  it('CTRL-F2: rejects with Conflict when the object has changed since it was read', async () => {
    bench.api.replace(
      widgets,
      { ...read(), metadata: { ...read().metadata, labels: { a: 'b' } } },
      'object',
    );
    await expect(bench.until(addFinalizer(finalizing()))).rejects.toMatchObject({ code: 409 });
    expect(read().metadata?.finalizers).toEqual(['other']);
  });

  it('CTRL-F2: puts nothing on a later object of the same name, also where its version is the same', async () => {
    object = { ...object, metadata: { ...object.metadata, uid: 'of-the-deleted-object' } };
    await expect(bench.until(addFinalizer(finalizing()))).rejects.toMatchObject({
      reason: 'Invalid',
    });
    expect(read().metadata?.finalizers).toEqual(['other']);
  });

  it('CTRL-F3: rejects an object that is terminating', async () => {
    bench.api.delete(widgets, { namespace: 'ns', name: 'w' }, {});
    object = read();
    await expect(addFinalizer(finalizing())).rejects.toThrow(
      'widgets.sample.lifehook.dev ns/w is being deleted',
    );
  });
});

describe('addFinalizer, with annotations', () => {
  const annotated = (): Promise<Widget> =>
    bench.until(addFinalizer({ ...finalizing(), annotations: { a: '1', b: '2' } }));
  const annotationsOf = ({ metadata }: Widget): unknown => metadata?.annotations;

  it('writes those that are missing with the finalizer, and keeps those that are there', async () => {
    const metadata = { ...object.metadata, annotations: { a: 'mine', c: '3' } };
    object = bench.api.replace(widgets, { ...object, metadata }, 'object') as Widget;
    const after = await annotated();
    expect(annotationsOf(after)).toEqual({ a: 'mine', b: '2', c: '3' });
    expect(after.metadata?.finalizers).toEqual(['other', OURS]);
  });

  it('writes them to an object that has the finalizer already, once', async () => {
    object = await bench.until(addFinalizer(finalizing()));
    object = await annotated();
    expect(annotationsOf(object)).toEqual({ a: '1', b: '2' });
    expect(object.metadata?.finalizers).toEqual(['other', OURS]);
    const { revision } = bench.api;
    expect(await annotated()).toBe(object);
    expect(bench.api.revision).toBe(revision);
  });

  it('begins the list of an object without finalizers', async () => {
    const metadata = { namespace: 'ns', name: 'bare' };
    object = bench.api.create(widgets, { metadata }) as Widget;
    const after = await bench.until(addFinalizer(finalizing()));
    expect(after.metadata?.finalizers).toEqual([OURS]);
    expect(after.metadata).not.toHaveProperty('annotations');
  });

  it('passes the signal and the timeout on to the request', async () => {
    const patched: unknown[] = [];
    const { signal } = new AbortController();
    const client = {
      ...bench.client,
      patch: (...[, , options]: Parameters<typeof bench.client.patch>) => {
        patched.push({ ...options, body: null });
        return Promise.reject(new Error('seen'));
      },
    } as typeof bench.client;
    for (const call of [{ signal }, { timeoutMs: 5 }, {}]) {
      await expect(addFinalizer({ ...finalizing(), client, ...call })).rejects.toThrow('seen');
    }
    const sent = { type: 'merge', body: null };
    expect(patched).toStrictEqual([{ ...sent, signal }, { ...sent, timeoutMs: 5 }, sent]);
  });
});

describe('removeFinalizer', () => {
  it('sends no request for an object without it', async () => {
    const { revision } = bench.api;
    expect(await bench.until(removeFinalizer(finalizing()))).toBe(object);
    expect(await removeFinalizer({ ...finalizing(), object: {} })).toEqual({});
    expect(bench.api.revision).toBe(revision);
  });

  it('removes our finalizer and keeps the others', async () => {
    object = await bench.until(addFinalizer(finalizing()));
    const after = await bench.until(removeFinalizer(finalizing()));
    expect(after?.metadata?.finalizers).toEqual(['other']);
  });

  it('removes the named annotations with it, and alone if it is absent already', async () => {
    object = await bench.until(
      addFinalizer({ ...finalizing(), annotations: { begun: 'now', kept: 'yes' } }),
    );
    const left = await bench.until(
      removeFinalizer({ ...finalizing(), annotations: ['begun', 'absent'] }),
    );
    expect(left?.metadata).toMatchObject({ finalizers: ['other'], annotations: { kept: 'yes' } });
    expect(left?.metadata?.annotations).not.toHaveProperty('begun');
    object = left ?? object;
    await bench.until(removeFinalizer({ ...finalizing(), annotations: ['kept'] }));
    expect(read().metadata?.annotations).toEqual({});
  });

  it('returns null for an object that was deleted', async () => {
    object = await bench.until(addFinalizer(finalizing()));
    bench.api.replace(
      widgets,
      { ...read(), metadata: { ...read().metadata, finalizers: [] } },
      'object',
    );
    bench.api.delete(widgets, { namespace: 'ns', name: 'w' }, {});
    expect(await bench.until(removeFinalizer(finalizing()))).toBe(null);
  });

  it('CTRL-F2: rejects with Conflict when the object was recreated with the same name', async () => {
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
