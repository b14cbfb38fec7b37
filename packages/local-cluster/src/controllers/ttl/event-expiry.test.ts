import type { Event } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { EVENT_TTL_MS, expiredEvents, MAX_EVENTS } from './event-expiry.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');

const event = (name: string, agoMs: number): Event => ({
  metadata: { name, creationTimestamp: '2025-01-01T00:00:00Z' },
  involvedObject: {},
  lastTimestamp: new Date(NOW - agoMs).toISOString(),
});

const names = (events: readonly Event[]): (string | undefined)[] =>
  events.map(({ metadata }) => metadata.name);

describe('the expiry of events', () => {
  it('selects events whose last timestamp is an hour ago, whatever their creation time is', () => {
    const found = expiredEvents([event('new', 1_000), event('old', EVENT_TTL_MS)], NOW);
    expect(names(found.expired)).toEqual(['old']);
    expect(found.nextInMs).toBe(EVENT_TTL_MS - 1_000);
  });

  it('selects the oldest events beyond the maximum', () => {
    const many = Array.from({ length: MAX_EVENTS + 2 }, (_, index) => event(`${index}`, index));
    const oldest = [`${MAX_EVENTS + 1}`, `${MAX_EVENTS}`];
    expect(names(expiredEvents(many, NOW).expired)).toEqual(oldest);
  });

  it('selects nothing and sets no timer without events', () => {
    expect(expiredEvents([], NOW)).toEqual({ expired: [], nextInMs: null });
  });
});
