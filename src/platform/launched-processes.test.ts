import { expect, test } from 'vitest';

import { LaunchFrames } from './launched-processes.ts';

const SENT = Buffer.concat([
  Buffer.from('1 started 3\n4711 stdout 4\na\n'),
  Buffer.from([0xc3, 0x28]),
  Buffer.from('12 stderr 0\n1 exit 7\nSIGKILL'),
]);

test('frames are read alike wherever the stream is cut', () => {
  const whole = [
    { id: 1, kind: 'started', payload: '471' },
    { id: 1, kind: 'stdout', payload: 'a\nÃ(' },
    { id: 12, kind: 'stderr', payload: '' },
    { id: 1, kind: 'exit', payload: 'SIGKILL' },
  ];
  for (let size = 1; size <= SENT.length; size += 1) {
    const frames = new LaunchFrames();
    const read: unknown[] = [];
    for (let at = 0; at < SENT.length; at += size) {
      for (const { id, kind, payload } of frames.push(SENT.subarray(at, at + size))) {
        read.push({ id, kind, payload: payload.toString('latin1') });
      }
    }
    expect(read).toEqual(whole);
  }
});
