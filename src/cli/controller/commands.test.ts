import { expect, it } from 'vitest';

import { parseListenAddress } from './commands.ts';

it('parseListenAddress reads addresses with a port', () => {
  expect(parseListenAddress('127.0.0.1:9464')).toEqual({ host: '127.0.0.1', port: 9464 });
  expect(parseListenAddress('[::]:0')).toEqual({ host: '::', port: 0 });
});

it.each(['9464', '127.0.0.1', '127.0.0.1:', '1.2.3.4:65536', 'example.com:1', '::1:1'])(
  'parseListenAddress refuses %s',
  (text) => {
    expect(() => parseListenAddress(text)).toThrow(/address and a port/u);
  },
);
