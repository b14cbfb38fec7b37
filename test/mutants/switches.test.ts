import { expect, it } from 'vitest';

import { Switches } from './switches.ts';

/** Evaluates a switch as the instrumented code does. */
function isOn(switches: Switches, mutant: string): boolean {
  return switches.activeMutant === mutant;
}

function pass(switches: Switches, times: number): void {
  for (let count = 0; count < times; count += 1) isOn(switches, 'another');
}

it('has one mutant on, from then until it is turned off', () => {
  const switches = new Switches();
  switches.begin('t1');
  const before = isOn(switches, '7');
  switches.turnOn('7', { id: 't1', passes: 1 });
  const during = [isOn(switches, '7'), isOn(switches, '8')];
  expect(switches.turnOff()).toEqual({ wasEndless: false, passes: 3 });
  expect([before, during, isOn(switches, '7')]).toEqual([false, [true, false], false]);
});

it('stops a loop that passes switches of other mutants without an end', () => {
  const switches = new Switches();
  switches.begin('t1');
  switches.turnOn('7', { id: 't1', passes: 10 });
  expect(() => {
    pass(switches, Infinity);
  }).toThrow('more than 101000 switches');
  expect(switches.turnOff().wasEndless).toBe(true);
});

it('counts the runs of a test apart, and stops nothing while no mutant is on', () => {
  const switches = new Switches();
  for (let run = 0; run < 3; run += 1) {
    switches.begin('t1');
    switches.turnOn('7', { id: 't1', passes: 10 });
    pass(switches, 100_000);
    expect(switches.turnOff().wasEndless).toBe(false);
  }
  pass(switches, 200_000);
});
