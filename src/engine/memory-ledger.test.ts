import { expect, it } from 'vitest';

import { MemoryLedger } from './memory-ledger.ts';

it('a ledger in memory has the records of each run apart', async () => {
  const ledger = new MemoryLedger();
  const cancel = { type: 'CancelRequested', atMs: 1, reason: 'why' } as const;
  await ledger.append({ ...cancel, runId: 'one' });
  await ledger.append({ ...cancel, runId: 'two' });
  expect(await ledger.read('two')).toEqual([{ ...cancel, runId: 'two' }]);
});
