/**
 * The search of the documentation. The index is a script, because a page that is opened from a local file cannot fetch.
 * It is loaded at the first search.
 */
import MiniSearch from 'minisearch';

import { SEARCH_OPTIONS, type SearchEntry } from '../search-options.ts';

declare global {
  /** Set by search-index.js. */
  var siteIndex: string | undefined;
}

const RESULTS_MAX = 12;
const root = document.documentElement.dataset['root'] ?? '';
const input = document.querySelector<HTMLInputElement>('#search');
const results = document.querySelector<HTMLElement>('#results');
if (input !== null && results !== null) serve(input, results);

function serve(field: HTMLInputElement, list: HTMLElement): void {
  let loaded: Promise<MiniSearch<SearchEntry>> | undefined;
  const show = async (): Promise<void> => {
    loaded ??= loadIndex();
    const index = await loaded;
    const query = field.value.trim();
    list.hidden = query === '';
    list.replaceChildren(...(query === '' ? [] : found(index, query)));
  };
  field.addEventListener('input', () => void show());
  document.addEventListener('click', ({ target }) => {
    if (target !== field) list.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    }
    if (event.key === 'Escape') list.hidden = true;
  });
}

async function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  const script = document.createElement('script');
  script.src = `${root}search-index.js`;
  await new Promise((resolve, reject) => {
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
    document.head.append(script);
  });
  return MiniSearch.loadJSON(globalThis.siteIndex ?? '', SEARCH_OPTIONS);
}

function found(index: MiniSearch<SearchEntry>, query: string): HTMLElement[] {
  const hits = index.search(query).slice(0, RESULTS_MAX);
  if (hits.length === 0) return [element('p', `Nothing found for "${query}".`)];
  return hits.map((hit) => {
    const { title, page, start } = hit as unknown as SearchEntry;
    const link = document.createElement('a');
    link.href = `${root}${String(hit.id)}`;
    const name = title === page ? title : `${page} › ${title}`;
    link.append(element('strong', name), element('span', start));
    return link;
  });
}

function element(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}
