/** The help of the page: its keys, and the meaning of its signs. */
import { button, byId, element } from './elements.ts';

const KEYS: readonly (readonly [string, string])[] = [
  ['Left, Right', 'previous span, next span on the same track'],
  ['Up, Down', 'track above, track below, at the same time'],
  ['Home, End', 'first span, last span of the track'],
  ['Enter', 'details of the span'],
  ['Esc', 'close the details; if none are open, clear the selection'],
  ['n', 'next failure'],
  ['+  -  0', 'zoom in, zoom out, fit all spans'],
  ['Shift + Left, Right', 'earlier, later'],
  ['l', 'follow the newest spans'],
  ['/', 'filter'],
  ['t', 'timeline or table'],
  ['?', 'this help'],
];

const SIGNS: readonly (readonly [string, string])[] = [
  ['frozen', 'Frozen: hatched, between walls, with its length. Writes to the target wait.'],
  ['failed', 'Failed: a cross'],
  ['unknown', 'Unknown: a question mark. The end was not observed; it does not count as success.'],
  ['running', 'Running: two notches at its open end'],
  ['skipped', 'Skipped: a dashed outline'],
  ['cancelled', 'Cancelled: a slash'],
];

export function prepareHelp(): void {
  const dialog = byId('help') as HTMLDialogElement;
  const keys = KEYS.flatMap(([key, what]) => [
    element('dt', {}, [element('kbd', {}, [key])]),
    element('dd', {}, [what]),
  ]);
  const signs = SIGNS.map(([sign, what]) =>
    element('li', {}, [
      element('span', { class: `swatch is-${sign}`, 'aria-hidden': 'true' }),
      what,
    ]),
  );
  const close = button('Close', {}, () => {
    dialog.close();
  });
  dialog.append(
    element('h2', { id: 'help-title' }, ['Keys and signs']),
    element('dl', {}, keys),
    element('p', { class: 'soft' }, [
      'Turn the wheel with Ctrl to zoom, drag to move. Spans that are too narrow are drawn as one, with their count and the worst outcome: click to zoom in.',
    ]),
    element('ul', { class: 'signs' }, signs),
    close,
  );
  byId('show-help').addEventListener('click', showHelp);
}

export function showHelp(): void {
  (byId('help') as HTMLDialogElement).showModal();
}
