/** The colours of the style, for the canvas. */
import { BAR_OUTCOMES, type BarOutcome } from '../bar.ts';

export interface Palette {
  readonly paper: string;
  readonly raised: string;
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly grid: string;
  readonly phase: string;
  readonly phaseInk: string;
  readonly frozen: string;
  readonly frozenInk: string;
  readonly focus: string;
  readonly outcomes: Readonly<Record<BarOutcome, string>>;
  readonly barInk: string;
  readonly font: string;
}

export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    paper: colour('paper'),
    raised: colour('raised'),
    ink: colour('ink'),
    muted: colour('muted'),
    line: colour('line'),
    grid: colour('grid'),
    phase: colour('phase'),
    phaseInk: colour('phase-ink'),
    frozen: colour('frozen'),
    frozenInk: colour('frozen-ink'),
    focus: colour('focus'),
    outcomes: Object.fromEntries(
      BAR_OUTCOMES.map((outcome) => [outcome, colour(outcome.toLowerCase())]),
    ) as Record<BarOutcome, string>,
    barInk: colour('bar-ink'),
    font: style.getPropertyValue('--font').trim(),
  };
}
