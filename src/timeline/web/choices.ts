/** The select lists: namespace, time and order of the tracks. */
import { type TrackOrder, TRACK_ORDERS } from './arranged-lanes.ts';
import { byId, element } from './elements.ts';
import { namespacesOf } from './filter.ts';
import { fitted } from './time-window.ts';
import type { Actions, Scene } from './view.ts';

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

export class Choices {
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

  /** A namespace in the link stays in the list even without spans. */
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

/** Also changes the time window: the whole range, up to now. */
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
