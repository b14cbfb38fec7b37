import { afterEach, expect, test } from 'vitest';

import { type BuildStand, buildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { whileReading } from '../../../../test/fixtures/pipeline/while-reading.ts';
import type { PipelineSession } from '../session.ts';
import { readInventory, recordedProject, recordVerifyPod } from './inventory.ts';

const stands: BuildStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

function sessionOfProject(): PipelineSession {
  const stand = buildStand();
  stands.push(stand);
  return stand.session;
}

const podOf = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name });

test('objects that two sessions record at once are all kept', async () => {
  const session = sessionOfProject();
  const other = { ...session, runId: '00000000-0000-4000-8000-000000000002' };
  await recordedProject(session);
  await whileReading('deployed.json', {
    session,
    time: 1,
    change: (mine) => recordVerifyPod(mine, podOf('verify-0-a'), { isThere: true }),
    meanwhile: (timers) => {
      const platform = { ...other.platform, timers };
      return recordVerifyPod({ ...other, platform }, podOf('verify-0-b'), { isThere: true });
    },
  });
  const { scopes } = await readInventory(session);
  const names = Object.values(scopes).flatMap((refs) => refs.map(({ name }) => name));
  expect(names.toSorted()).toEqual(['verify-0-a', 'verify-0-b']);
});

test.each([1, 2])(
  'two first sessions of a checkout, which start at once, have one project (read %i)',
  async (time) => {
    const session = sessionOfProject();
    const other = { ...session, runId: '00000000-0000-4000-8000-000000000002' };
    const [first, second] = await whileReading('deployed.json', {
      session,
      time,
      change: recordedProject,
      meanwhile: (timers) => recordedProject({ ...other, platform: { ...other.platform, timers } }),
    });
    const { project } = await readInventory(session);
    expect([first, second]).toEqual([project, project]);
  },
);
