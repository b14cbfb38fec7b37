import { describe, expect, it } from 'vitest';

import { colourOf, isColoured, printable, textTable } from './terminal-text.ts';

const terminal = { isTTY: true };
const pipe = {};

describe('colour', () => {
  it.each([
    [terminal, {}, true],
    [pipe, {}, false],
    [terminal, { NO_COLOR: '1' }, false],
    [terminal, { NO_COLOR: '' }, true],
    [terminal, { TERM: 'dumb' }, false],
    [pipe, { FORCE_COLOR: '1' }, true],
    [pipe, { FORCE_COLOR: '' }, true],
    [terminal, { FORCE_COLOR: '0' }, false],
    [terminal, { FORCE_COLOR: 'false' }, false],
    [pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ])('of %j with %j: %s', (target, env, wanted) => {
    expect(isColoured(target, env)).toBe(wanted);
    const text = colourOf(target, env)('red', 'a');
    expect(text).toBe(wanted ? '\u001B[31ma\u001B[39m' : 'a');
  });
});

it('text of others has no control characters, so that it cannot move the cursor', () => {
  expect(printable('one\n\u001B[2Jtwo\r\u009Bthree')).toBe('one\n\uFFFD[2Jtwo\uFFFD\uFFFDthree');
  expect(textTable(['A'], [['\u001B[31mred']])).toBe('A\n\uFFFD[31mred\n');
});
