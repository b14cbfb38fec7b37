/** Saves the spans of the page as JSON where no server can: in a report, and after a lost connection. */
import type { BarPage } from '../bar.ts';
import { byId, element } from './elements.ts';

export function prepareJson(isServed: () => boolean, exported: () => BarPage): void {
  byId('export-json').addEventListener('click', (event) => {
    if (isServed()) return;
    event.preventDefault();
    const text = `${JSON.stringify(exported(), null, 2)}\n`;
    const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    element('a', { href, download: 'lifehook-timeline.json' }).click();
  });
}
