import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { nodePathPolling } from './node-path-watching.ts';

test('nodePathPolling reports a file that is created and one that is changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-polling-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, 'a'), 'one');
  const waiting = new Map<string, () => void>();
  const hintOf = (name: string): Promise<void> =>
    new Promise((resolve) => {
      waiting.set(join(folder, name), resolve);
    });
  const watch = await nodePathPolling(20).watch([folder], {
    ignored: () => false,
    onError: (error) => {
      throw error;
    },
    onHint: (path) => waiting.get(path)?.(),
  });
  const changed = hintOf('a');
  writeFileSync(join(folder, 'a'), 'more than one');
  await changed;
  const created = hintOf('b');
  writeFileSync(join(folder, 'b'), 'new');
  await expect(created).resolves.toBeUndefined();
  await watch.close();
});
