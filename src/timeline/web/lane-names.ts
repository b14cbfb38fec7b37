/** The names of the lanes in sight: elements, so that they can be read, selected and found. */
import { byId, element } from './elements.ts';
import type { Placed } from './placed-lanes.ts';
import { countText, LIFECYCLE_TITLES } from './words.ts';

export class LaneNames {
  readonly #holder = byId('names');
  #shown = new Map<string, HTMLElement>();

  /** 0: on a narrow screen they stand over their lanes. */
  widthPx(): number {
    return this.#holder.offsetWidth;
  }

  render(visible: readonly Placed[]): void {
    const next = new Map<string, HTMLElement>();
    for (const one of visible) {
      const key = keyOf(one);
      const shown = this.#shown.get(key) ?? nameElement(one);
      shown.style.setProperty('top', `${one.y}px`);
      shown.style.setProperty('height', `${one.heightPx}px`);
      if (!shown.isConnected) this.#holder.append(shown);
      next.set(key, shown);
    }
    for (const [key, shown] of this.#shown) if (!next.has(key)) shown.remove();
    this.#shown = next;
  }
}

/** Frozen or not is a part of it: the name of a lane says so. */
function keyOf(one: Placed): string {
  return one.kind === 'heading'
    ? `${one.lifecycle} ${one.lanes}`
    : `${one.lane.key} ${one.lane.isFrozen}`;
}

function nameElement(one: Placed): HTMLElement {
  if (one.kind === 'heading') {
    return element('div', { class: 'heading' }, [
      element('strong', {}, [LIFECYCLE_TITLES[one.lifecycle]]),
      element('span', { class: 'soft' }, [countText(one.lanes, 'track')]),
    ]);
  }
  const { name, isFrozen } = one.lane;
  const parts = name.split('/');
  const last = parts.pop() ?? name;
  return element('div', { class: isFrozen ? 'name is-frozen' : 'name', title: name }, [
    ...(parts.length === 0 ? [] : [element('span', { class: 'soft' }, [`${parts.join('/')}/`])]),
    element('span', { class: 'last' }, [last]),
  ]);
}
