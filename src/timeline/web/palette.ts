/**
 * The colours of the page: reads those of the style sheet for the canvas, and lets the user choose between light and
 * dark.
 */
import { BAR_OUTCOMES, type BarOutcome } from '../bar.ts';
import { byId } from './elements.ts';

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

type Theme = 'light' | 'dark';

const KEY = 'lifehook-theme';

/**
 * Uses light or dark as the system does, until the user chooses. Prints are light. `changed` is called after each
 * change, also one by the system. Before a print it must draw at once.
 */
export function prepareTheme(changed: () => void): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const paper = matchMedia('print');
  let chosen = readChoice();
  const apply = (): void => {
    const screen: Theme = chosen ?? (system.matches ? 'dark' : 'light');
    const theme = paper.matches ? 'light' : screen;
    document.documentElement.dataset['theme'] = theme;
    byId('theme').textContent = theme === 'dark' ? 'Light' : 'Dark';
    changed();
  };
  byId('theme').addEventListener('click', () => {
    chosen = document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark';
    keepChoice(chosen);
    apply();
  });
  system.addEventListener('change', apply);
  paper.addEventListener('change', apply);
  apply();
}

/**
 * The stored choice; null: none. A page that was opened from a file may have no storage: then the choice lasts only as
 * long as the page.
 */
function readChoice(): Theme | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : null;
  } catch {
    return null;
  }
}

function keepChoice(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // No storage: see `readChoice`.
  }
}
