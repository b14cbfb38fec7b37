/**
 * The names of the visible tracks, and the buttons of their groups. They are elements and not drawn, so that they can
 * be read aloud and selected.
 */
import type { Arrangement, LaneGroup } from './arranged-lanes.ts';
import { button, byId, element, keepingFocus } from './elements.ts';
import { toggled } from './filter.ts';
import type { Lane } from './lanes.ts';
import type { Placed } from './placed-lanes.ts';
import type { Actions } from './view.ts';
import { countText, LIFECYCLE_TITLES } from './words.ts';

export class LaneNames {
  readonly #holder = byId('names');
  readonly #actions: Actions;
  #shown = new Map<string, HTMLElement>();

  constructor(actions: Actions) {
    this.#actions = actions;
  }

  /** Width of the names in pixels; 0: the screen is narrow, and each name is above its track. */
  widthPx(): number {
    return this.#holder.offsetWidth;
  }

  render(visible: readonly Placed[]): void {
    const next = new Map<string, HTMLElement>();
    for (const one of visible) {
      const key = keyOf(one);
      const shown = this.#shown.get(key) ?? this.#element(one);
      shown.style.setProperty('top', `${one.y}px`);
      shown.style.setProperty('height', `${one.heightPx}px`);
      if (!shown.isConnected) this.#holder.append(shown);
      next.set(key, shown);
    }
    keepingFocus(this.#holder, () => {
      for (const [key, shown] of this.#shown) if (next.get(key) !== shown) shown.remove();
    });
    this.#shown = next;
  }

  #element(one: Placed): HTMLElement {
    if (one.kind === 'lane') return nameElement(one.lane);
    return one.kind === 'heading' ? this.#heading(one.group) : this.#fold(one.group);
  }

  #heading({ lifecycle, total, frozen, failed, isCollapsed }: LaneGroup): HTMLElement {
    const attributes = {
      class: 'group',
      'aria-expanded': String(!isCollapsed),
      'data-focus': `group/${lifecycle}`,
    };
    const toggle = button('', attributes, () => {
      this.#arrange(({ collapsed }) => ({ collapsed: toggled(collapsed, lifecycle) }));
    });
    const trouble = [
      ...(frozen > 0 ? [element('span', { class: 'trouble' }, [`${frozen} frozen`])] : []),
      ...(failed > 0 ? [element('span', { class: 'trouble' }, [`${failed} failed`])] : []),
    ];
    toggle.append(
      element('strong', {}, [LIFECYCLE_TITLES[lifecycle]]),
      element('span', { class: 'soft' }, [countText(total, 'track')]),
      ...trouble,
    );
    return element('div', { class: 'heading' }, [toggle]);
  }

  #fold({ lifecycle, folded, isUnfolded }: LaneGroup): HTMLElement {
    const label = isUnfolded ? 'Fold idle tracks' : countText(folded, 'idle track');
    const attributes = {
      class: 'group soft',
      'aria-expanded': String(isUnfolded),
      'data-focus': `fold/${lifecycle}`,
    };
    const toggle = button(label, attributes, () => {
      this.#arrange(({ unfolded }) => ({ unfolded: toggled(unfolded, lifecycle) }));
    });
    return element('div', { class: 'fold' }, [toggle]);
  }

  #arrange(change: (arrangement: Arrangement) => Partial<Arrangement>): void {
    const { arrangement } = this.#actions.scene().view;
    this.#actions.change({ arrangement: { ...arrangement, ...change(arrangement) } });
  }
}

/** A key that changes whenever the text of the element changes. */
function keyOf(one: Placed): string {
  if (one.kind === 'lane') return `${one.lane.key} ${one.lane.isFrozen}`;
  const { lifecycle, total, frozen, failed, folded, isCollapsed, isUnfolded } = one.group;
  return one.kind === 'heading'
    ? JSON.stringify([lifecycle, total, frozen, failed, isCollapsed])
    : JSON.stringify([lifecycle, folded, isUnfolded]);
}

function nameElement({ name, isFrozen }: Lane): HTMLElement {
  const parts = name.split('/');
  const last = parts.pop() ?? name;
  return element('div', { class: isFrozen ? 'name is-frozen' : 'name', title: name }, [
    ...(parts.length === 0 ? [] : [element('span', { class: 'soft' }, [`${parts.join('/')}/`])]),
    element('span', { class: 'last' }, [last]),
  ]);
}
