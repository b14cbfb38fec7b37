/** Elements of the page, made and found. */

type Attributes = Readonly<Record<string, string | boolean>>;

/** An attribute that is false is left out. A style is not set this way: the policy of the page forbids it. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, '');
    else if (value !== false) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

export function button(
  label: string,
  attributes: Attributes,
  onClick: () => void,
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, [label]);
  made.addEventListener('click', onClick);
  return made;
}

/** Of page.html: it is a mistake of ours when it is not there. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element "${id}"`);
  return found;
}

/** Focuses the element with the same `data-focus` again when `change` has replaced it. */
export function keepingFocus(holder: HTMLElement, change: () => void): void {
  const focused = document.activeElement?.getAttribute('data-focus') ?? null;
  change();
  if (focused === null || document.activeElement !== document.body) return;
  holder.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}

/** Puts the text on the clipboard and says so on the button; where that is not allowed, it says so too. */
export async function copy(text: string, from: HTMLButtonElement): Promise<void> {
  const label = from.dataset['label'] ?? from.textContent;
  from.dataset['label'] = label;
  try {
    await navigator.clipboard.writeText(text);
    from.textContent = 'Copied';
  } catch {
    from.textContent = 'The browser does not allow it';
  }
  from.addEventListener(
    'blur',
    () => {
      from.textContent = label;
    },
    { once: true },
  );
}
