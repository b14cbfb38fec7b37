import { describe, expect, it } from 'vitest';

import { LinkedSignal, whenAborted } from './linked-signal.ts';

describe('LinkedSignal', () => {
  it('aborts once, and calls each listener that was not removed', () => {
    const signal = new LinkedSignal();
    const called: string[] = [];
    const removed = (): void => void called.push('removed');
    signal.addEventListener('abort', () => called.push('first'));
    signal.addEventListener('abort', removed);
    signal.addEventListener('abort', () => called.push('second'));
    signal.removeEventListener('abort', removed);
    expect(signal.aborted).toBe(false);
    signal.abort();
    signal.abort();
    expect(signal.aborted).toBe(true);
    expect(called).toEqual(['first', 'second']);
  });

  it('aborts with any signal it is linked to, and does not abort that one', () => {
    const [left, right] = [new AbortController(), new LinkedSignal()];
    const both = new LinkedSignal(left.signal, undefined, right);
    const own = new LinkedSignal(right);
    own.abort();
    expect([right.aborted, both.aborted]).toEqual([false, false]);
    left.abort();
    expect([right.aborted, both.aborted]).toEqual([false, true]);
  });

  it('has the reason of the signal that aborted it', () => {
    const outer = new AbortController();
    const [inner, own] = [new LinkedSignal(new LinkedSignal(outer.signal)), new LinkedSignal()];
    outer.abort('SIGINT');
    own.abort();
    expect([inner.reason, own.reason]).toEqual(['SIGINT', undefined]);
    expect(new LinkedSignal(inner).reason).toBe('SIGINT');
  });

  it('is aborted from the start when a signal it is linked to is already aborted', () => {
    expect(new LinkedSignal(new LinkedSignal(), AbortSignal.abort()).aborted).toBe(true);
  });

  it.each(['abort', 'release'] as const)('leaves no listener behind after %s', (end) => {
    const listeners = new Set<() => void>();
    const outer = {
      aborted: false,
      addEventListener: (_type: 'abort', listener: () => void) => void listeners.add(listener),
      removeEventListener: (_type: 'abort', listener: () => void) =>
        void listeners.delete(listener),
    };
    const signal = new LinkedSignal(outer);
    expect(listeners.size).toBe(1);
    signal[end]();
    expect(listeners.size).toBe(0);
    expect(signal.aborted).toBe(end === 'abort');
  });
});

describe('whenAborted', () => {
  it('resolves when the signal aborts, and at once when it is aborted', async () => {
    const signal = new LinkedSignal();
    const waiting = whenAborted(signal);
    signal.abort();
    await waiting;
    await whenAborted(signal);
  });
});
