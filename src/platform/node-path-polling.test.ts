import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished, test } from 'vitest';

import { nodePathPolling } from './path-watching.ts';

test('nodePathPolling reports a file that is created and one that is changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-polling-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, 'a'), 'one');
  const hinted = new Set<string>();
  const watch = await nodePathPolling(20).watch([folder], {
    ignored: () => false,
    onError: (error) => {
      throw error;
    },
    onHint: (path) => hinted.add(path),
  });
  // Writes again and again: the first check of a path happens some time after `watch`, and only later writes are
  // changes.
  const untilHinted = async (name: string): Promise<void> => {
    for (let times = 1; !hinted.has(join(folder, name)); times += 1) {
      writeFileSync(join(folder, name), 'x'.repeat(10 * times));
      await pause(50);
    }
  };
  await untilHinted('a');
  hinted.clear();
  await untilHinted('b');
  await watch.close();
});
