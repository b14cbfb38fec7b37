/** The keys, and what the signs mean. */
import { button, byId, element } from './elements.ts';

const KEYS: readonly (readonly [string, string])[] = [
  ['Left, Right', 'bar before, bar after, on the same target'],
  ['Up, Down', 'target above, target below, at the same time'],
  ['Home, End', 'first bar, last bar of the target'],
  ['Enter', 'detail of the bar'],
  ['Esc', 'close, leave'],
  ['n', 'next failure'],
  ['+  -  0', 'zoom in, zoom out, show all'],
  ['Shift + Left, Right', 'earlier, later'],
  ['l', 'follow what happens now'],
  ['/', 'filter'],
  ['t', 'lanes or table'],
  ['?', 'this help'],
];

const SIGNS: readonly (readonly [string, string])[] = [
  ['frozen', 'Frozen: hatched, between walls, with its length. The target stands still.'],
  ['failed', 'Failed: a cross'],
  ['unknown', 'Unknown: a question mark. Nobody saw how it ended; it is no success.'],
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
      'Turn the wheel with Ctrl to zoom, drag to move. Bars that are too narrow are drawn as one, with their number and the worst outcome: click to see them apart.',
    ]),
    element('ul', { class: 'signs' }, signs),
    close,
  );
  byId('show-help').addEventListener('click', showHelp);
}

export function showHelp(): void {
  (byId('help') as HTMLDialogElement).showModal();
}
