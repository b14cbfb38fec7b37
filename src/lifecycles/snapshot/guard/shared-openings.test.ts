import { beforeEach, describe, expect, it } from 'vitest';

import type { KubeClient } from '../../../kube/client.ts';
import type { ApplicationSnapshot } from '../kinds.ts';
import { SharedOpenings } from './guard-world.ts';

const windowOf = (name: string): ApplicationSnapshot => ({
  metadata: { namespace: 'shop', name },
  spec: { source: {}, executionHookInfos: [] },
});

/** The creations that the server has not answered yet. */
let pending: { readonly name: string | undefined; readonly end: (error?: Error) => void }[];
let openings: SharedOpenings;

beforeEach(() => {
  pending = [];
  const create = (_: unknown, object: ApplicationSnapshot): Promise<ApplicationSnapshot> =>
    new Promise((resolve, reject) => {
      const end = (error?: Error): void => {
        if (error === undefined) resolve(object);
        else reject(error);
      };
      pending.push({ name: object.metadata?.name, end });
    });
  openings = new SharedOpenings({ create } as unknown as Pick<KubeClient, 'create' | 'get'>);
});

describe('the creation of a window', () => {
  it('is one request for all that open it at the same time (SNAP-W6)', async () => {
    const all = [1, 2, 3].map(() => openings.open(windowOf('guard-window-1')));
    const other = openings.open(windowOf('guard-window-2'));
    expect(pending.map(({ name }) => name)).toEqual(['guard-window-1', 'guard-window-2']);
    for (const { end } of pending) end();
    expect(new Set((await Promise.all(all)).map(({ metadata }) => metadata?.name))).toEqual(
      new Set(['guard-window-1']),
    );
    expect((await other).metadata?.name).toBe('guard-window-2');
  });

  it('fails for all that share it, and is tried again for the next one', async () => {
    const all = [1, 2].map(() => openings.open(windowOf('guard-window-1')));
    pending[0]?.end(new Error('refused'));
    const ends = await Promise.allSettled(all);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = openings.open(windowOf('guard-window-1'));
    pending[1]?.end();
    expect((await next).metadata?.name).toBe('guard-window-1');
  });
});
