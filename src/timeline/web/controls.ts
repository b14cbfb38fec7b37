/** The row of controls: text, lifecycles, outcomes, zoom. It is also the legend of the colours and signs. */
import { BAR_OUTCOMES, isBad, LIFECYCLES } from '../bar.ts';
import { Choices } from './choices.ts';
import { button, byId, element } from './elements.ts';
import { toggled } from './filter.ts';
import { following } from './time-window.ts';
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
