import { describe, expect, test } from 'vitest';

import type { EventBody } from '../events/event-stream.ts';
import { HookWindows } from './hook-windows.ts';

const callback = (address: string, status: 'InProgress' | 'Completed' | 'Failed'): EventBody => ({
  type: 'HostCallbackEvent',
  callback: 'pre-build',
  address,
  status,
});

describe('the times in which hooks ran', () => {
  test('start and end with the events of the hook, widened by the resolution of file times', () => {
    let nowMs = 1_000;
    const windows = new HookWindows({ nowMs: () => nowMs });
    windows.see(callback('a', 'InProgress'));
    nowMs = 2_000;
    windows.see(callback('a', 'Failed'));
    windows.see(callback('b', 'InProgress'));
    nowMs = 9_000;
    const at = (ms: number): string[] => windows.at(ms).map(({ address }) => address);
    expect(at(900)).toEqual([]);
    expect(at(990)).toEqual(['a']);
    expect(at(1_990)).toEqual(['a', 'b']);
    expect(at(2_001)).toEqual(['a', 'b']);
    expect(at(2_002)).toEqual(['b']);
    expect(at(8_000)).toEqual(['b']);
  });

  test('are cleared when an iteration begins', () => {
    const windows = new HookWindows({ nowMs: () => 1_000 });
    windows.see(callback('a', 'InProgress'));
    windows.begin();
    expect(windows.at(1_000)).toEqual([]);
  });

  test('PIPE-CASE23: distinguish an edit before the iteration from a later write', () => {
    let nowMs = 1_000;
    const windows = new HookWindows({ nowMs: () => nowMs });
    windows.begin();
    nowMs = 1_010;
    windows.see(callback('a', 'InProgress'));
    expect([995, 1_000.9, 1_006].map((ms) => windows.isBefore(ms))).toEqual([true, true, false]);
    expect(windows.at(995)).toHaveLength(1);
  });
});
