import { expect, it } from 'vitest';

import { scriptedTransport } from '../../../../test/fixtures/scripted-transport.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import type { ApplyContext } from './apply-objects.ts';
import { lastLines } from './last-lines.ts';

/** A log, or the code of a refusal. A list has one for each read; the last one stays. */
type Answers = string | number | readonly string[];

/** The last lines of a container that exited, from the server's logs of its current and of its previous instance. */
async function linesFrom(
  logs: { readonly current: Answers; readonly previous: Answers },
  log: 'current' | 'previous' = 'current',
): Promise<readonly string[]> {
  const reads = { current: 0, previous: 0 };
  const transport = scriptedTransport(({ path }) => {
    const which = path.includes('previous=true') ? 'previous' : 'current';
    const answers = [logs[which]].flat();
    const answer = answers[Math.min(reads[which], answers.length - 1)] ?? '';
    reads[which] += 1;
    if (typeof answer === 'string') return { body: answer };
    const body = { kind: 'Status', code: answer, reason: 'BadRequest', message: 'm' };
    return { status: answer, body };
  });
  const timers = { after: (_ms: number, run: () => void) => nodePlatform.timers.after(0, run) };
  const connection = { transport, platform: nodePlatform, userAgent: 'test', random: () => 0 };
  const hooks = { cluster: null, signal: new AbortController().signal };
  const context = { target: { connection }, session: { hooks, platform: { timers } } };
  const place = { namespace: 'shop', pod: 'web-1', container: 'web' };
  const trouble = { ...place, kind: 'certain', why: 'exited with code 3', log } as const;
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

const lost = 'unable to retrieve container logs for containerd://61a93aa1';

it('reads the log of the next instance if the node has removed that of the exited one', async () => {
  const current = [lost, lost, '2026-05-01T10:00:01.5Z no settings\n'];
  expect(await linesFrom({ current, previous: 400 })).toEqual(['no settings']);
  expect(await linesFrom({ current, previous: lost }, 'previous')).toEqual(['no settings']);
});

it('says that the log was removed if no later instance has one', async () => {
  expect(await linesFrom({ current: lost, previous: 400 })).toEqual([
    '(its log cannot be read: the node of web-1 has removed this log)',
  ]);
});
