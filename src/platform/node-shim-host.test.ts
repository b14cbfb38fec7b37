import { expect, it, onTestFinished, vi } from 'vitest';

import { host } from './node-shim-host.ts';

const DAY_SECONDS = 86_400;

it('endAfter kills this program after the given time, also if Node has no timer of that length', () => {
  vi.useFakeTimers();
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  onTestFinished(() => {
    vi.useRealTimers();
    kill.mockRestore();
  });
  host.endAfter(30 * DAY_SECONDS);
  vi.advanceTimersByTime(29 * DAY_SECONDS * 1_000);
  expect(kill).not.toHaveBeenCalled();
  vi.advanceTimersByTime(DAY_SECONDS * 1_000);
  expect(kill).toHaveBeenCalledExactlyOnceWith(process.pid, 'SIGKILL');
});
