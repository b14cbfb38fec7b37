/** The part of the search that the build and the browser share. */
import type { Options } from 'minisearch';

/** One section of a page. */
export interface SearchEntry {
  /** Path of the page and anchor, relative to the root of the site. */
  readonly id: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
  /** The first characters of the text. */
  readonly start: string;
}

export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'start'],
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
};
