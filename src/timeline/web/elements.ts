/** Creates and finds elements of the page. */

type Attributes = Readonly<Record<string, string | boolean>>;

/**
 * Creates an element. An attribute that is false is omitted. A style cannot be set, since the policy of the page
 * forbids it.
 */
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

/** Finds an element of page.html. If it is missing, that is a bug. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element "${id}"`);
  return found;
}

/** Runs `change`. If it replaces the focused element, the new element with the same `data-focus` is focused. */
export function keepingFocus(holder: HTMLElement, change: () => void): void {
  const focused = document.activeElement?.getAttribute('data-focus') ?? null;
  change();
  if (focused === null || document.activeElement !== document.body) return;
  holder.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}

/** Copies the text to the clipboard and shows the result on the button, also if the browser denies it. */
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
