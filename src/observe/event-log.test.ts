import { closeSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';

import { makeEventLog } from './event-log.ts';

it('loses events on a full disk, and does not fail the work that reports them', () => {
  const full = openSync('/dev/full', 'w');
  try {
    const { logger, observeController } = makeEventLog('warn', full);
    for (let count = 0; count < 3; count += 1) logger.warn({ count }, 'ControllersFailed');
    observeController({ type: 'LeadershipLost', lease: 'a/b', reason: 'it expired' });
    expect(logger.isLevelEnabled('warn')).toBe(true);
  } finally {
    closeSync(full);
  }
});
