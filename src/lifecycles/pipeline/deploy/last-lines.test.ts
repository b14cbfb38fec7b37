import { expect, it } from 'vitest';

import { scriptedTransport } from '../../../../test/fixtures/scripted-transport.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import type { ApplyContext } from './apply-objects.ts';
import { lastLines } from './last-lines.ts';

/** The last lines of a container that exited, from the server's logs of its current and of its previous instance. */
async function linesFrom(logs: {
  readonly current: string | number;
  readonly previous: string | number;
}): Promise<readonly string[]> {
  const transport = scriptedTransport(({ path }) => {
    const log = path.includes('previous=true') ? logs.previous : logs.current;
    if (typeof log === 'string') return { body: log };
    return { status: log, body: { kind: 'Status', code: log, reason: 'BadRequest', message: 'm' } };
  });
  const connection = { transport, platform: nodePlatform, userAgent: 'test', random: () => 0 };
  const context = { target: { connection }, session: { hooks: { cluster: null } } };
  const place = { namespace: 'shop', pod: 'web-1', container: 'web' };
  const trouble = { ...place, kind: 'certain', why: 'exited with code 3', log: 'current' } as const;
  return lastLines(trouble, context as unknown as ApplyContext);
}

it('reads the log of a container that has exited', async () => {
  expect(await linesFrom({ current: 'no settings\n', previous: 400 })).toEqual(['no settings']);
});

it('reads the log of the exited instance also after the next one was started', async () => {
  for (const current of ['', 400]) {
    expect(await linesFrom({ current, previous: 'no settings\n' })).toEqual(['no settings']);
  }
});

it('has no lines of a container that has logged nothing', async () => {
  expect(await linesFrom({ current: '', previous: 400 })).toEqual([]);
});
