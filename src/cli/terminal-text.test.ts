import { describe, expect, it } from 'vitest';

import { colourOf, isColoured } from './terminal-text.ts';

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
