/**
 * Prints results in the form of `--output`. A list is printed as a table, as a wider table, as names, or as JSON or
 * YAML. Also prints single values.
 */
import process from 'node:process';

import { yamlText } from '../model/yaml-text.ts';
import type { ListFormat, OutputFormat } from './shared-options.ts';
import { type Colour, colourOf, printable, textTable } from './terminal-text.ts';

export interface Listing<T> {
  readonly items: readonly T[];
  /** The value that JSON and YAML print; absent: the items. */
  readonly value?: object;
  readonly nameOf: (item: T) => string;
  readonly columns: readonly Column<T>[];
  /** Printed instead of an empty table. */
  readonly none?: string;
  /** Printed below the table. */
  readonly after?: string;
}

export interface Column<T> {
  readonly heading: string;
  readonly cell: (item: T) => string;
  /** True: the column is shown only with `-o wide`. */
  readonly isWide?: true;
  /** The tone of the cell on a terminal; null: the cell has no colour. */
  readonly tone?: (item: T) => Tone | null;
}

export type Tone = 'good' | 'odd' | 'bad';

const COLOURS = { good: 'green', odd: 'yellow', bad: 'red' } as const;

export function printListing<T>(listing: Listing<T>, format: ListFormat): void {
  process.stdout.write(listingText(listing, format, colourOf(process.stdout)));
}

export function listingText<T>(
  listing: Listing<T>,
  format: ListFormat,
  colour: Colour = (_format, text) => text,
): string {
  const { items, value = items, nameOf } = listing;
  if (format === 'name') return items.map((item) => `${nameOf(item)}\n`).join('');
  if (format === 'wide') return tableText(listing, listing.columns, colour);
  const narrow = listing.columns.filter(({ isWide }) => isWide !== true);
  // The text form is not escaped: the table's cells are already printable, and their colours must stay.
  return format === 'text' ? tableText(listing, narrow, colour) : documentText(value, format);
}

function tableText<T>(
  { items, none, after = '' }: Listing<T>,
  columns: readonly Column<T>[],
  colour: Colour,
): string {
  if (items.length === 0 && none !== undefined) return `${none}\n${after}`;
  const heading = columns.map((column) => column.heading);
  const rows = items.map((item) => columns.map(({ cell }) => cell(item)));
  const table = textTable(heading, rows, (text, { row, column }) => {
    const item = items[row];
    const tone = item === undefined ? null : (columns[column]?.tone?.(item) ?? null);
    return tone === null ? text : colour(COLOURS[tone], text);
  });
  return `${table}${after}`;
}

/** The tone of the outcome of a run, a phase or a verdict; null: the outcome has no colour. */
export function toneOf(outcome: string): Tone | null {
  if (/^(Succeeded|Completed|Done|ApplicationConsistent|running)/u.test(outcome)) return 'good';
  if (/^(Failed|TimedOut|Inconsistent|Unknown|RolledBack)/u.test(outcome)) return 'bad';
  return /^(Held|Cancelled|Aborted|CrashConsistent|Ignored)/u.test(outcome) ? 'odd' : null;
}

/** The text of one value in the form of `--output`. */
export function printed(value: object, format: OutputFormat, text: () => string): string {
  return format === 'text' ? printable(text()) : documentText(value, format);
}

function documentText(value: object, format: Exclude<OutputFormat, 'text'>): string {
  return format === 'json' ? `${JSON.stringify(value, null, 2)}\n` : yamlText(value);
}
