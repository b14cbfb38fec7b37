/** The row of controls: text, lifecycles, outcomes, zoom. The row is also the legend of the colours and signs. */
import { BAR_OUTCOMES, isBad, LIFECYCLES } from '../bar.ts';
import { TRACK_ORDERS, type TrackOrder } from './arranged-lanes.ts';
import { button, byId, element } from './elements.ts';
import { namespacesOf, toggled } from './filter.ts';
import { fitted, following } from './time-window.ts';
import type { Actions, Scene } from './view.ts';
import { LIFECYCLE_TITLES } from './words.ts';

interface Chip {
  readonly chip: HTMLButtonElement;
  readonly count: HTMLElement;
}

export class Controls {
  readonly #search = byId('search') as HTMLInputElement;
  readonly #lifecycles: readonly (readonly [(typeof LIFECYCLES)[number], Chip])[];
  readonly #outcomes: readonly (readonly [(typeof BAR_OUTCOMES)[number], Chip])[];
  readonly #live: HTMLButtonElement;
  readonly #failure: HTMLButtonElement;
  readonly #choices: Choices;
  #countedFor: unknown = null;

  constructor(actions: Actions, nextFailure: () => void) {
    const filter = (): Scene['view']['filter'] => actions.scene().view.filter;
    this.#search.addEventListener('input', () => {
      actions.change({ filter: { ...filter(), text: this.#search.value } });
    });
    this.#lifecycles = LIFECYCLES.map((one) => {
      const made = chip(LIFECYCLE_TITLES[one], null, () => {
        const lifecycles = toggled(filter().lifecycles, one);
        actions.change({ filter: { ...filter(), lifecycles } });
      });
      byId('lifecycles').append(made.chip);
      return [one, made] as const;
    });
    this.#outcomes = BAR_OUTCOMES.map((one) => {
      const made = chip(one, one.toLowerCase(), () => {
        const outcomes = toggled(filter().outcomes, one);
        actions.change({ filter: { ...filter(), outcomes } });
      });
      byId('outcomes').append(made.chip);
      return [one, made] as const;
    });
    this.#live = zoomButtons(actions);
    this.#choices = new Choices(actions);
    const keys = { title: 'Next failure (n)', 'aria-keyshortcuts': 'n' };
    this.#failure = button('Next failure', keys, () => {
      nextFailure();
    });
    byId('choices').append(this.#failure);
  }

  render(scene: Scene): void {
    const { view, bars, isStopped } = scene;
    this.#choices.render(scene);
    this.#failure.disabled = !scene.shown.some(isBad);
    if (this.#search.value.trim() !== view.filter.text.trim()) {
      this.#search.value = view.filter.text;
    }
    for (const [one, { chip: made }] of this.#lifecycles) {
      press(made, view.filter.lifecycles.includes(one));
    }
    for (const [one, { chip: made }] of this.#outcomes) {
      press(made, view.filter.outcomes.includes(one));
    }
    press(this.#live, view.follows);
    this.#live.hidden = isStopped;
    if (this.#countedFor === bars) return;
    this.#countedFor = bars;
    const count = (isOne: (bar: Scene['bars'][number]) => boolean): string =>
      bars.filter(isOne).length.toLocaleString('en-US', { notation: 'compact' });
    for (const [one, { chip: made, count: shown }] of this.#lifecycles) {
      shown.textContent = count(({ lifecycle }) => lifecycle === one);
      made.classList.toggle('is-empty', shown.textContent === '0');
    }
    for (const [one, { chip: made, count: shown }] of this.#outcomes) {
      shown.textContent = count(({ outcome }) => outcome === one);
      made.classList.toggle('is-empty', shown.textContent === '0');
    }
  }

  focus(): void {
    this.#search.focus();
    this.#search.select();
  }
}

const press = (made: HTMLButtonElement, isPressed: boolean): void => {
  made.setAttribute('aria-pressed', String(isPressed));
};

function chip(label: string, swatch: string | null, onClick: () => void): Chip {
  const made = button('', { class: 'chip', 'aria-pressed': 'false' }, onClick);
  const count = element('span', { class: 'count' });
  if (swatch !== null) {
    made.append(element('span', { class: `swatch is-${swatch}`, 'aria-hidden': 'true' }));
  }
  made.append(label, count);
  return { chip: made, count };
}

export const ZOOM_STEP = 1.6;

function zoomButtons(actions: Actions): HTMLButtonElement {
  const live = button('Now', { 'aria-pressed': 'false', 'aria-keyshortcuts': 'l' }, () => {
    follow(actions);
  });
  const keys = { '-': 'Zoom out', '+': 'Zoom in', 0: 'Fit all spans' };
  byId('zoom').append(
    button('\u2212', { 'aria-label': keys['-'], title: keys['-'] }, () => {
      actions.zoom(ZOOM_STEP);
    }),
    button('+', { 'aria-label': keys['+'], title: keys['+'] }, () => {
      actions.zoom(1 / ZOOM_STEP);
    }),
    button('All', { 'aria-label': keys[0], title: keys[0] }, () => {
      actions.fit(actions.scene().shown);
    }),
    live,
  );
  return live;
}

/** Starts or stops following the current time. */
export function follow(actions: Actions): void {
  const { view, nowMs } = actions.scene();
  const follows = !view.follows;
  actions.change({ follows, ...(follows ? { window: following(view.window, nowMs) } : {}) });
}

const MINUTE_MS = 60_000;
const TIMES: readonly (readonly [ms: number, label: string])[] = [
  [15 * MINUTE_MS, 'Last 15 min'],
  [60 * MINUTE_MS, 'Last hour'],
  [6 * 60 * MINUTE_MS, 'Last 6 h'],
  [24 * 60 * MINUTE_MS, 'Last 24 h'],
];
const ORDERS: Readonly<Record<TrackOrder, string>> = {
  trouble: 'Trouble first',
  newest: 'Newest first',
  name: 'By name',
};

/** The select lists: namespace, time and order of the tracks. */
class Choices {
  readonly #namespace: HTMLSelectElement;
  readonly #time: HTMLSelectElement;
  readonly #order: HTMLSelectElement;
  #namespacesFor: unknown = null;

  constructor(actions: Actions) {
    this.#namespace = choice('Namespace', [], (namespace) => {
      const { filter } = actions.scene().view;
      actions.change({ filter: { ...filter, namespace: namespace === '' ? null : namespace } });
    });
    const times = TIMES.map(([ms, label]) => [String(ms), label] as const);
    this.#time = choice('Time range', [['', 'Any time'], ...times], (ms) => {
      chooseTime(actions, ms === '' ? null : Number(ms));
    });
    const orders = TRACK_ORDERS.map((order) => [order, ORDERS[order]] as const);
    this.#order = choice('Order of tracks', orders, (order) => {
      const { arrangement } = actions.scene().view;
      actions.change({ arrangement: { ...arrangement, order: order as TrackOrder } });
    });
    byId('choices').append(this.#namespace, this.#time, this.#order);
  }

  render({ view, bars }: Scene): void {
    const { filter, arrangement, shows } = view;
    if (this.#namespacesFor !== bars) {
      this.#namespacesFor = bars;
      this.#fillNamespaces(namespacesOf(bars), filter.namespace);
    }
    this.#namespace.value = filter.namespace ?? '';
    const ms = filter.lastMs === null ? '' : String(filter.lastMs);
    this.#time.value = ms;
    this.#order.value = arrangement.order;
    this.#order.hidden = shows === 'table';
  }

  /** Fills the list of namespaces. A namespace that is in the link stays in it, even if no span has it. */
  #fillNamespaces(found: readonly string[], chosen: string | null): void {
    const names = chosen === null || found.includes(chosen) ? found : [chosen, ...found];
    const shown = [...this.#namespace.options].map(({ value }) => value);
    if (shown.join() === ['', ...names].join()) return;
    this.#namespace.replaceChildren(
      ...[['', 'All namespaces'] as const, ...names.map((name) => [name, name] as const)].map(
        option,
      ),
    );
    this.#namespace.hidden = names.length === 0;
  }
}

/** Chooses a time preset, and changes the time window to its whole range, up to now. */
function chooseTime(actions: Actions, lastMs: number | null): void {
  const { view, nowMs, isStopped } = actions.scene();
  actions.change({ filter: { ...view.filter, lastMs } });
  const { shown } = actions.scene();
  const window = lastMs === null ? fitted(shown, nowMs) : { fromMs: nowMs - lastMs, toMs: nowMs };
  actions.change({ window, follows: lastMs !== null && !isStopped });
}

type Option = readonly [value: string, label: string];

const option = ([value, label]: Option): HTMLOptionElement => element('option', { value }, [label]);

function choice(
  label: string,
  options: readonly Option[],
  chosen: (value: string) => void,
): HTMLSelectElement {
  const made = element('select', { 'aria-label': label, title: label }, options.map(option));
  made.addEventListener('change', () => {
    chosen(made.value);
  });
  return made;
}
