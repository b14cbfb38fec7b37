import process from 'node:process';
import { afterEach, expect, it, vi } from 'vitest';

import { exitCodes } from '../exit-codes.ts';
import { continuesText, runSnapshotCreate } from './create.ts';
import { runSnapshotPlan } from './plan.ts';

const options = { timeout: 1, output: 'text', kubeconfig: '/no/such/kubeconfig' } as const;

afterEach(() => {
  vi.restoreAllMocks();
});

function errors(): string[] {
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  return written;
}

it.each([{ pods: { app: 'db' } }, { container: 'db' }])(
  'the options %j are refused without a hook, since nothing would be frozen in these pods',
  async (given) => {
    const written = errors();
    const wanted = { ...options, ...given, claim: ['data'] };
    expect(await runSnapshotCreate('night', wanted)).toBe(exitCodes.wrongUse);
    expect(await runSnapshotPlan(undefined, wanted)).toBe(exitCodes.wrongUse);
    expect(written).toHaveLength(2);
    expect(written.join('')).toMatch(/LHS414.*--template.*LHS414/su);
  },
);

it('a plan of an existing snapshot refuses options that describe another one', async () => {
  const written = errors();
  const wanted = { ...options, template: 'freeze' };
  expect(await runSnapshotPlan('night', wanted)).toBe(exitCodes.wrongUse);
  expect(written.join('')).toContain('LHS402');
});

it('the command for a snapshot that continues names its namespace', () => {
  expect(continuesText({ namespace: 'shop', name: 'night' }, 5)).toBe(
    'The snapshot has not ended after 5 s; it continues. See: lifehook snapshot status night -n shop\n',
  );
});
