import process from 'node:process';
import { afterEach, expect, test } from 'vitest';

import { onEnter } from './watch-triggers.ts';

const { stdin } = process;
const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function presses(): { count: number } {
  const pressed = { count: 0 };
  stops.push(
    onEnter(() => {
      pressed.count += 1;
    }),
  );
  return pressed;
}

test('the trigger manual counts a chunk of stdin as a press of Enter only if the chunk ends a line', () => {
  const pressed = presses();
  stdin.emit('data', Buffer.from('ab'));
  expect(pressed.count).toBe(0);
  stdin.emit('data', Buffer.from('c\n'));
  stdin.emit('data', Buffer.from('\n\n'));
  expect(pressed.count).toBe(2);
});

test('the trigger manual reads stdin again after an earlier watch has stopped', () => {
  presses();
  for (const stop of stops.splice(0)) stop();
  expect(stdin.isPaused()).toBe(true);
  presses();
  expect(stdin.isPaused()).toBe(false);
});
