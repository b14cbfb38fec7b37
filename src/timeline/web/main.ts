/** The entry of the page: creates its parts, and connects them with the source of the spans. */
import type { BarPage } from '../bar.ts';
import { Banners } from './banners.ts';
import { Chart } from './chart.ts';
import { Controls } from './controls.ts';
import { Detail } from './detail.ts';
import { byId, element } from './elements.ts';
import { Feed } from './feed.ts';
import { prepareHelp } from './help.ts';
import { followKeys, goToNextFailure } from './keyboard.ts';
import { NeedsYou } from './needs-you.ts';
import { Overview } from './overview.ts';
import { prepareTheme } from './palette.ts';
import { followPointer } from './pointer.ts';
import { Table } from './table.ts';
import { Timeline } from './timeline.ts';
import { placeHash, placeOf, type Scene } from './view.ts';
import { browserWorld } from './world.ts';

const timeline = new Timeline(browserWorld, placeOf(location.hash));
const chart = new Chart(timeline);
const overview = new Overview(timeline);
const controls = new Controls(timeline, () => {
  goToNextFailure(timeline);
});
const needsYou = new NeedsYou(timeline);
const banners = new Banners(timeline);
const detail = new Detail(timeline);
const table = new Table(timeline);

const redraw = (): void => {
  timeline.change({});
};

function render(scene: Scene): void {
  const { shows } = scene.view;
  // These parts are rendered first, because they change the height of the tracks.
  banners.render(scene);
  needsYou.render(scene);
  controls.render(scene);
  detail.render(scene);
  byId('chart').hidden = shows === 'table' || scene.shown.length === 0;
  byId('export-html').hidden = scene.connection !== 'live';
  byId('show-table').setAttribute('aria-pressed', String(shows === 'table'));
  if (shows === 'table') table.render(scene);
  else {
    byId('table').hidden = true;
    overview.render(scene);
    chart.render(scene);
  }
  keepPlace(scene);
}

/** Milliseconds between two changes of the address, since browsers limit their rate. */
const PLACE_MS = 250;
let wantedHash = location.hash;
/**
 * The fragment that the page itself last read or wrote. If the address has another one, the user has just entered it.
 */
let knownHash = location.hash;
let isPlacing = false;

/** Keeps a permalink of the view in the address. While the view follows the current time, the link has no times. */
function keepPlace({ view, bars }: Scene): void {
  if (bars.length === 0) return;
  const { selected: bar, filter, shows, follows } = view;
  wantedHash = placeHash({ bar, window: follows ? null : view.window, filter, shows });
  if (isPlacing || wantedHash === location.hash) return;
  isPlacing = true;
  browserWorld.after(PLACE_MS, () => {
    isPlacing = false;
    if (location.hash !== knownHash) return;
    history.replaceState(null, '', wantedHash === '' ? location.pathname : wantedHash);
    knownHash = location.hash;
  });
}

prepareTheme(() => {
  chart.recolour();
  overview.recolour();
  render(timeline.scene());
});
prepareHelp();
prepareJson(
  () => timeline.scene().connection === 'live',
  () => timeline.exported(),
);
followPointer(chart, timeline);
followKeys(timeline, {
  search: () => {
    controls.focus();
  },
  detail: () => {
    requestAnimationFrame(() => {
      detail.focus();
    });
  },
});
byId('show-table').addEventListener('click', () => {
  timeline.change({ shows: timeline.scene().view.shows === 'table' ? 'chart' : 'table' });
});
addEventListener('hashchange', () => {
  wantedHash = knownHash = location.hash;
  timeline.go(placeOf(location.hash));
});
byId('scroller').addEventListener('scroll', redraw, { passive: true });
new ResizeObserver(redraw).observe(byId('main'));
new ResizeObserver(redraw).observe(byId('scroller'));
timeline.draw({
  render,
  reveal: (bar) => {
    chart.reveal(bar);
  },
});

const held = byId('timeline').textContent;
if (held === '') void new Feed(browserWorld, timeline).start();
else timeline.all(JSON.parse(held) as BarPage);

/** Lets the user save the spans as JSON without a server: in a report, and after a lost connection. */
function prepareJson(isServed: () => boolean, exported: () => BarPage): void {
  byId('export-json').addEventListener('click', (event) => {
    if (isServed()) return;
    event.preventDefault();
    const text = `${JSON.stringify(exported(), null, 2)}\n`;
    const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    element('a', { href, download: 'lifehook-timeline.json' }).click();
  });
}
