import { expect, it } from 'vitest';

import { frozen, sampleHook } from '../../../test/fixtures/snapshot/app-facts.ts';
import { UnreachableError } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { thaw } from './thaw-first.ts';

it('waits for the thaws although one read of the hooks gets no answer', async () => {
  const hook = { ...sampleHook({ name: 'night' }), status: frozen() };
  let reads = 0;
  const client = {
    patch: async () => hook,
    list: async () => {
      reads += 1;
      if (reads === 1) throw new UnreachableError('no answer', { sent: true });
      return { items: [] };
    },
  };
  expect(await thaw(client as unknown as KubeClient, [hook], 60_000)).toEqual([]);
  expect(reads).toBe(2);
});
