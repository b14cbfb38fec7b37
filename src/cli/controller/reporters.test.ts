import type { Logger } from 'pino';
import { expect, it } from 'vitest';

import { traceReporter } from './controller-traces.ts';
import { notificationReporter } from './notifications.ts';

function openLog(): { readonly logged: string[]; readonly logger: Logger } {
  const logged: string[] = [];
  const warn = (_facts: object, type: string): number => logged.push(type);
  return { logged, logger: { warn, debug: () => undefined } as unknown as Logger };
}

it('logs a failing collector and lost spans once, until the collector accepts spans again', () => {
  const { logged, logger } = openLog();
  const report = traceReporter({ logger });
  const busy = { type: 'CollectorBusy', why: 'down' } as const;
  const dropped = { type: 'SpansDropped', spans: 1, why: 'full' } as const;
  for (const note of [busy, dropped, busy, dropped, busy]) report(note);
  expect(logged).toEqual(['CollectorBusy', 'SpansDropped']);
  report({ type: 'SpansSent', spans: 1 });
  report(busy);
  expect(logged).toEqual(['CollectorBusy', 'SpansDropped', 'CollectorBusy']);
});

it('logs a failing receiver once, until it accepts a notification again', () => {
  const { logged, logger } = openLog();
  const report = notificationReporter(logger);
  const busy = { type: 'ReceiverBusy', why: 'down' } as const;
  const dropped = { type: 'NotificationDropped', count: 1, why: 'full' } as const;
  for (const note of [busy, dropped, busy, dropped]) report(note);
  expect(logged).toEqual(['ReceiverBusy', 'NotificationDropped', 'NotificationDropped']);
  report({ type: 'NotificationSent', id: '1', fact: 'thaw.overdue' });
  report(busy);
  expect(logged.at(-1)).toBe('ReceiverBusy');
});
