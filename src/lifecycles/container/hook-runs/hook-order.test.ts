import { describe, expect, it } from 'vitest';

import { readHookOrder, writeHookOrder, type HookOrder } from './hook-order.ts';

const order: HookOrder = {
  timeoutMs: 1500,
  by: { pid: 4711, started: 'b2c1-0d/12345' },
  endFile: '/run/life hook/a:b.end',
  file: '/hook',
  argv: ['', '--', 'x\ny'],
};

describe('readHookOrder', () => {
  it.each([order, { ...order, timeoutMs: null }, { ...order, timeoutMs: 0.5, argv: [] }])(
    'reads back what writeHookOrder writes: %j',
    (one) => {
      expect(readHookOrder(writeHookOrder(one))).toEqual(one);
    },
  );

  it.each([
    ['other arguments', ['--stage=createRuntime', '--spool=/s']],
    ['no program', writeHookOrder(order).slice(0, 2)],
    ['a deadline that is no number', ['--keep-deadline', 'soon:1:b/2:/end', '/hook']],
    ['no command', ['--keep-deadline', '1500:/end', '/hook']],
    ['no end file', ['--keep-deadline', '1500:1:b/2:', '/hook']],
  ])('refuses %s', (_name, args) => {
    expect(readHookOrder(args)).toBeNull();
  });
});
