/** K32: the containers of a pod that ends by itself share one grace; in simulated time. */
import { describe, expect, test } from 'vitest';

import { PodBench } from '../../../test/sim/pod/pod-bench.ts';

const sidecar = (name: string) => ({ name, restartPolicy: 'Always' });
const deaf = { onTerm: 'never' } as const;

describe('a pod that terminates without a deletion', () => {
  test('shares one grace period among its sidecars', async () => {
    const bench = new PodBench({
      spec: {
        restartPolicy: 'Never',
        terminationGracePeriodSeconds: 10,
        initContainers: [sidecar('first'), sidecar('second')],
      },
      containers: [{ name: 'web' }],
      programs: { first: deaf, second: { onTerm: 6 }, web: { exitsAfter: 5 } },
    });
    await bench.pass(60);
    expect(bench.seen.slice(3)).toEqual([
      '5.0 web ended',
      '5.0 second TERM',
      '11.0 second ended',
      '11.0 first TERM',
      '15.0 first KILL',
      '15.0 first ended',
    ]);
  });

  test('gives 2 s to a sidecar that is stopped after the grace period', async () => {
    const flush = { lifecycle: { preStop: { exec: { command: ['flush'] } } } };
    const bench = new PodBench({
      spec: {
        terminationGracePeriodSeconds: 4,
        activeDeadlineSeconds: 5,
        initContainers: [{ ...sidecar('side'), ...flush }],
      },
      containers: [{ name: 'web' }],
      programs: { side: deaf, web: deaf },
    });
    await bench.pass(60);
    expect(bench.seen.slice(2)).toEqual([
      '5.0 web TERM',
      '9.0 web KILL',
      '9.0 web ended',
      '9.0 side TERM',
      '11.0 side KILL',
      '11.0 side ended',
    ]);
    expect(bench.status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
  });
});
