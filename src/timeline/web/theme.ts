/** Light or dark: as the system is, until the user chooses. Paper is light. */
import { byId } from './elements.ts';

type Theme = 'light' | 'dark';

const KEY = 'lifehook-theme';

/** `changed` is called after each change, also of the system; before a print it has to draw at once. */
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

/** A page from a file may have no storage: then the choice lasts as long as the page. */
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
    // See above.
  }
}
