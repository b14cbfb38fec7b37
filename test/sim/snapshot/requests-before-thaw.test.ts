/** The sequence of requests from a cut to its thaw. The application is frozen during all of them. */
import { expect, it } from 'vitest';

import type { HookPlan } from './hook-plans.ts';
import { HOOK, SnapshotStand } from './stand.ts';

const PROBED: HookPlan = {
  ...HOOK,
  probed: true,
  actions: { ...HOOK.actions, probe: { exec: { command: ['probe', 's0.0'] } } },
};

/** The requests in the order in which they are sent, except writes of the snapshot's status, which run in parallel. */
async function sentFromCutToThaw(hook: HookPlan): Promise<string[]> {
  const stand = new SnapshotStand({ replicas: 1, hook });
  const lines: string[] = [];
  const note = stand.world.note.bind(stand.world);
  stand.world.note = (line) => {
    lines.push(typeof line === 'string' ? line : line());
    note(line);
  };
  await stand.eventually(() => stand.account.commands.some(({ verb }) => verb === 'thaw'));
  const cut = lines.findIndex((line) => line.startsWith('the cut of c0') && line.endsWith('ends'));
  const sent = lines.slice(cut + 1).filter((line) => !line.includes('status applicationsnapshots'));
  return sent.map((line) => line.split(' ').slice(1, 3).join(' '));
}

it('a thaw follows two writes after the cut, and no other request', async () => {
  expect(await sentFromCutToThaw(HOOK)).toEqual([
    'patch executionhooks.lifehook.dev',
    'status executionhooks.lifehook.dev',
    'thaw s0.0',
  ]);
});

it('a probe after the cut is asked while the release is recorded, and only the intent of the thaw follows its answer', async () => {
  expect(await sentFromCutToThaw(PROBED)).toEqual([
    'patch executionhooks.lifehook.dev',
    'probe s0.0',
    'status executionhooks.lifehook.dev',
    'status executionhooks.lifehook.dev',
    'thaw s0.0',
  ]);
});
