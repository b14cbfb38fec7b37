import { expect, it } from 'vitest';

import type { Channel, ChannelEvents } from '../platform/supervisor-host.ts';
import { type Listener, Outputs } from './outputs.ts';

it('reads on from a process when the slow client for which it waited has left', () => {
  let events: ChannelEvents | null = null;
  const calls: string[] = [];
  const stdout = {
    open: (given: ChannelEvents) => {
      events = given;
    },
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
  } as unknown as Channel;
  const full: Listener = () => false;
  const outputs = new Outputs();
  outputs.add(full);
  outputs.connect({ stdout, stderr: null }, () => undefined);
  (events as ChannelEvents | null)?.onData('much');
  expect(calls).toEqual(['pause']);
  outputs.remove(full);
  expect(calls).toEqual(['pause', 'resume']);
});
