import { describe, expect, it } from 'vitest';

import { EventStream } from '../../lifecycles/pipeline/events/event-stream.ts';
import { Printer } from './printer.ts';

function stand(columns: number | null): {
  readonly written: () => string;
  readonly events: EventStream;
  readonly printer: Printer;
  readonly pass: (ms: number) => void;
} {
  let text = '';
  let nowMs = 0;
  let due: { readonly atMs: number; readonly callback: () => void } | null = null;
  const screen = {
    write: (more: string) => {
      text += more;
    },
    columns: () => columns,
  };
  const clock = { monotonicMs: () => nowMs, nowMs: () => nowMs };
  const timers = {
    after: (ms: number, callback: () => void) => {
      due = { atMs: nowMs + ms, callback };
      return () => {
        due = null;
      };
    },
  };
  const printer = new Printer({ out: screen, err: screen, clock, timers });
  const events = new EventStream({ runId: 'r', clock });
  events.listen(printer.listen, printer.lines);
  return {
    events,
    printer,
    written: () => {
      const since = text;
      text = '';
      return since;
    },
    pass: (ms) => {
      nowMs += ms;
      if (due !== null && due.atMs <= nowMs) due.callback();
    },
  };
}

const HOOK = {
  type: 'HostCallbackEvent',
  callback: 'pre-build',
  address: 'build/web/before/0',
} as const;

describe('Printer', () => {
  it('shows on a terminal a status line with the running hook and its duration', () => {
    const { events, written, pass, printer } = stand(80);
    events.emit({ ...HOOK, status: 'InProgress' });
    expect(written()).toBe('build/web/before/0 (pre-build): started\n… build/web/before/0, 0 s');
    pass(1_000);
    expect(written()).toBe('\r\u001b[2K… build/web/before/0, 1 s');
    events.emit({ type: 'Output', source: 'x', stream: 'stdout', line: 'text' });
    expect(written()).toBe('\r\u001b[2K[x] text\n… build/web/before/0, 1 s');
    const lines = { type: 'OutputLines', source: 'x', stream: 'stdout' } as const;
    events.emit({ ...lines, text: 'one\ntwo', count: 2 });
    expect(written()).toBe('\r\u001b[2K[x] one\n[x] two\n… build/web/before/0, 1 s');
    events.emit({ ...HOOK, status: 'Completed' });
    expect(written()).toBe('\r\u001b[2Kbuild/web/before/0 (pre-build): done\n');
    printer.close();
    pass(5_000);
    expect(written()).toBe('');
  });

  it('truncates the status line so that it never wraps', () => {
    const { events, written } = stand(10);
    events.emit({ type: 'PhaseEvent', phase: 'deploy', subject: 'shop', status: 'InProgress' });
    expect(written().split('\n').at(-1)).toBe('… deploy ');
  });

  it('writes plain lines without a terminal', () => {
    const { events, written } = stand(null);
    events.emit({ ...HOOK, status: 'InProgress' });
    expect(written()).toBe('build/web/before/0 (pre-build): started\n');
  });
});
