import { expect, test } from 'vitest';

import { ApiError } from '../../../kube/api-error.ts';
import type { AcceptedConnection } from '../../../platform/tcp-listener.ts';
import type { KubeTarget } from '../session.ts';
import { carryConnection, REACH_MS } from './carry-connection.ts';

test('a connection that reaches no pod in time is reset, reported and over', async () => {
  const times = { ms: 0 };
  const timers = {
    after: (ms: number, callback: () => void) => {
      times.ms += ms;
      queueMicrotask(callback);
      return () => undefined;
    },
  };
  const client = {
    get: () => Promise.reject(new ApiError(503, { message: 'the server is starting' })),
  };
  const connection = { platform: { timers, clock: { monotonicMs: () => times.ms } } };
  const seen: (string | null)[] = [];
  const accepted = { reset: () => seen.push('reset') } as unknown as AcceptedConnection;
  const own = new AbortController();
  const kind = { apiVersion: 'v1', kind: 'Service' };
  await carryConnection(accepted, {
    target: { client, connection } as unknown as KubeTarget,
    rule: { kind, name: 'web', namespace: 'shop', port: 80 },
    own,
    emit: (trouble) => seen.push(trouble),
  });
  expect(seen).toEqual(['the server is starting', 'reset']);
  expect(times.ms).toBe(REACH_MS);
  expect(own.signal.aborted).toBe(true);
});
