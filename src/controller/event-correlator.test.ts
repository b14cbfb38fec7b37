import { expect, it } from 'vitest';

import { EventCorrelator, type Note } from './event-correlator.ts';

const noteOf = (uid: string): Note => ({
  about: { kind: 'Pod', uid },
  type: 'Normal',
  reason: 'Started',
  message: 'the same',
});

it('CTRL-V4: forgets the Event that was unused for longest when its memory is full', () => {
  const correlator = new EventCorrelator({ nowMs: () => 0, monotonicMs: () => 0 });
  correlator.count(noteOf('first'));
  correlator.count(noteOf('second'));
  expect(correlator.count(noteOf('first')).series.count).toBe(2);
  for (let more = 0; more < 4_095; more += 1) correlator.count(noteOf(`more-${more}`));
  expect(correlator.count(noteOf('first')).series.count).toBe(3);
  expect(correlator.count(noteOf('second')).series.count).toBe(1);
});
