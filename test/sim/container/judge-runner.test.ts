/** OCI-O6: tests the judge of the simulation for hooks that a runner starts. */
import { expect, it } from 'vitest';

import type { HostProcess } from '../host/host-process.ts';
import { Random } from '../random.ts';
import { World } from '../world.ts';
import { followRunner, judgeRunner, onReplaced } from './judge-runner.ts';
import { Stand } from './stand.ts';

type Step = 'report' | 'kill';

it.each<{ readonly steps: readonly Step[]; readonly finds: string | null }>([
  { steps: [], finds: null },
  { steps: ['report'], finds: null },
  { steps: ['report', 'kill'], finds: null },
  { steps: ['kill'], finds: 'OCI-O6' },
  { steps: ['kill', 'report'], finds: 'OCI-O6' },
])('finds $finds after $steps', ({ steps, finds }) => {
  const { account, host, world } = new Stand(new World(), new Random(1));
  const startBy = (parent: HostProcess | null): HostProcess => {
    const sink = { reader: null, write: () => undefined, holders: 0 };
    return host.start({ file: '/bin/other', argv: ['other'], env: {}, sink, parent });
  };
  const command = startBy(null);
  const runner = startBy(command);
  followRunner(account, runner);
  for (const step of steps) {
    if (step === 'kill') host.kill(command);
    else onReplaced(account, runner);
  }
  judgeRunner(account, 'the hook', startBy(runner));
  expect(world.violation?.invariant ?? null).toBe(finds);
});
