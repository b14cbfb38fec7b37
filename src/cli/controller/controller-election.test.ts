import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import process from 'node:process';

import { expect, it } from 'vitest';

import { processHolder } from './controller-election.ts';

it('names the host and the process, the same each time', async () => {
  const { identity } = await processHolder();
  expect(identity.startsWith(`${hostname()}-${process.pid}-`)).toBe(true);
  expect((await processHolder()).identity).toBe(identity);
});

it('knows that a process of its machine has ended', async () => {
  const { identity, hasEnded } = await processHolder();
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  expect(await hasEnded(identity)).toBe(false);
  expect(await hasEnded(`lifehook-up/${identity}`)).toBe(false);
  // Process ids are reused; only the start time distinguishes the two processes.
  expect(await hasEnded(identity.replace(/\d+$/u, '1'))).toBe(true);
  expect(await hasEnded(identity.replace(`-${process.pid}-`, `-${child.pid}-`))).toBe(true);
});

it('knows nothing of processes of other machines and of other names', async () => {
  const { identity, hasEnded } = await processHolder();
  const elsewhere = identity.replace(/-[0-9a-f]{12}-(\d+)$/u, '-000000000000-$1');
  for (const holder of [elsewhere, '', 'host-7-1a2b3c4d', 'web']) {
    expect(await hasEnded(holder)).toBe(false);
  }
});
