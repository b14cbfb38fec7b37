import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** Minimum contrasts of WCAG 2.2: 1.4.3 for text, and 1.4.11 for graphics. */
const TEXT_RATIO = 4.5;
const SHAPE_RATIO = 3;

const css = readFileSync(new URL('./theme.css', import.meta.url), 'utf8');

function paletteOf(theme: string): Record<string, string> {
  const block = new RegExp(`data-theme='${theme}'\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const OUTCOMES = ['running', 'succeeded', 'failed', 'unknown', 'skipped', 'cancelled'];
const TEXTS: readonly (readonly [string, string])[] = [
  ['ink', 'paper'],
  ['ink', 'raised'],
  ['muted', 'paper'],
  ['muted', 'raised'],
  ['phase-ink', 'phase'],
  ['frozen-ink', 'frozen'],
  ['frozen', 'paper'],
  ['failed', 'paper'],
  ['focus', 'paper'],
  ['paper', 'ink'],
  ...OUTCOMES.filter((outcome) => outcome !== 'skipped').map(
    (outcome) => ['bar-ink', outcome] as const,
  ),
];
const SHAPES: readonly (readonly [string, string])[] = [...OUTCOMES, 'frozen', 'focus'].flatMap(
  (name) => [
    [name, 'paper'],
    [name, 'phase'],
  ],
);

describe.each(['light', 'dark'])('the colours of the %s page', (theme) => {
  const palette = paletteOf(theme);
  const ratio = ([one, other]: readonly [string, string]): number =>
    contrast(palette[one] ?? '', palette[other] ?? '');

  test.each(TEXTS)('%s has the contrast of text on %s', (...pair) => {
    expect(ratio(pair)).toBeGreaterThanOrEqual(TEXT_RATIO);
  });

  test.each(SHAPES)('%s has the contrast of shapes on %s', (...pair) => {
    expect(ratio(pair)).toBeGreaterThanOrEqual(SHAPE_RATIO);
  });
});
