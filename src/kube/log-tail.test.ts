import { describe, expect, it } from 'vitest';

import { type Script, scriptedTransport } from '../../test/fixtures/scripted-transport.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { readLogTail } from './log-tail.ts';

const pod = { namespace: 'shop', name: 'web-1-pre-1', container: 'hook' };

async function tail(
  script: Script,
  limits = { lines: 3, bytes: 40 },
): Promise<{ text: string; query: string }> {
  const transport = scriptedTransport(script);
  const connection = { transport, platform: nodePlatform, userAgent: 'test', random: () => 0 };
  const text = await readLogTail(connection, pod, limits);
  return { text, query: transport.requests[0]?.path ?? '' };
}

const refused = (status: number, reason: string): Script => {
  const body = { kind: 'Status', reason, message: reason };
  return () => ({ status, body });
};

describe('readLogTail', () => {
  it('requests the given number of lines, and returns them without timestamps', async () => {
    const stamp = '2026-05-01T10:00:01.5Z ';
    const { text, query } = await tail(() => ({ body: `${stamp}one\n${stamp} größer\n` }));
    expect(text).toBe('one\n größer\n');
    expect(query).toMatch(/^\/api\/v1\/namespaces\/shop\/pods\/web-1-pre-1\/log\?/);
    expect(query).toMatch(/tailLines=3/);
  });

  it('keeps the last lines and bytes within both limits, and splits no character', async () => {
    const lines = await tail(() => ({ body: 'a\nb\nc\nd\n' }));
    expect(lines.text).toBe('b\nc\nd\n');
    const long = await tail(() => ({ body: `${'ä'.repeat(100)}end\n` }), { lines: 3, bytes: 9 });
    expect(long.text).toBe('ääend\n');
  });

  it('returns an empty text when no container has run, and rejects when access is forbidden', async () => {
    expect((await tail(refused(404, 'NotFound'))).text).toBe('');
    expect((await tail(refused(400, 'BadRequest'))).text).toBe('');
    await expect(tail(refused(403, 'Forbidden'))).rejects.toThrow('Forbidden');
  });

  it('rejects when the log has not ended after ten seconds', async () => {
    const transport = scriptedTransport(() => new Promise(() => {}));
    const waits: number[] = [];
    const after = (ms: number, callback: () => void) => {
      waits.push(ms);
      queueMicrotask(callback);
      return () => {};
    };
    const platform = { ...nodePlatform, timers: { ...nodePlatform.timers, after } };
    const connection = { transport, platform, userAgent: 'test', random: () => 0 };
    const reading = readLogTail(connection, pod, { lines: 3, bytes: 40 });
    await expect(reading).rejects.toThrow('the log of web-1-pre-1 did not end within 10 s');
    expect(waits).toEqual([10_000]);
  });
});
