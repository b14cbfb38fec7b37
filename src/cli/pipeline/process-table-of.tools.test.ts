import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { expect, it } from 'vitest';

import { processTableOf, psTable } from './session-folder.ts';

it(
  'without /proc, psTable identifies this process, an exited one and a reused pid',
  { tags: 'ps' },
  async () => {
    expect(processTableOf('darwin')).toBe(psTable);
    const self = await psTable.self();
    expect(self.pid).toBe(process.pid);
    expect(self.started).toMatch(/\d\d:\d\d:\d\d \d{4}$/u);
    expect(await psTable.isAlive(self)).toBe(true);
    expect(await psTable.isAlive({ ...self, started: 'Thu Jan  1 00:00:00 1970' })).toBe(false);
    const child = spawn('true');
    const pid = child.pid ?? 0;
    await once(child, 'exit');
    expect(await psTable.isAlive({ pid, started: self.started })).toBe(false);
  },
);
