import { describe, expect, it } from 'vitest';

import { type Listing, listingText, toneOf } from './listing.ts';

interface Fruit {
  readonly name: string;
  readonly state: string;
  readonly weight: number;
}

const listing: Listing<Fruit> = {
  items: [
    { name: 'apple', state: 'Failed', weight: 12 },
    { name: 'fig', state: 'Succeeded', weight: 3 },
  ],
  none: 'There is no fruit.',
  after: 'eat it\n',
  nameOf: ({ name }) => `fruit/${name}`,
  columns: [
    { heading: 'NAME', cell: ({ name }) => name },
    { heading: 'STATE', cell: ({ state }) => state, tone: ({ state }) => toneOf(state) },
    { heading: 'WEIGHT', cell: ({ weight }) => `${weight} g`, isWide: true },
  ],
};

describe('a list', () => {
  it('is a table without its wide columns, or with them', () => {
    expect(listingText(listing, 'text')).toBe(
      'NAME    STATE\napple   Failed\nfig     Succeeded\neat it\n',
    );
    expect(listingText(listing, 'wide')).toBe(
      'NAME    STATE       WEIGHT\napple   Failed      12 g\nfig     Succeeded   3 g\neat it\n',
    );
  });

  it('is names alone, one a line', () => {
    expect(listingText(listing, 'name')).toBe('fruit/apple\nfruit/fig\n');
  });

  it('is its values as JSON and YAML, or another value', () => {
    expect(JSON.parse(listingText(listing, 'json'))).toEqual(listing.items);
    expect(listingText(listing, 'yaml')).toContain('- name: apple\n  state: Failed\n');
    expect(JSON.parse(listingText({ ...listing, value: { a: 1 } }, 'json'))).toEqual({ a: 1 });
  });

  it('says that it is empty', () => {
    const empty = { ...listing, items: [] };
    expect(listingText(empty, 'text')).toBe('There is no fruit.\neat it\n');
    expect(listingText(empty, 'name')).toBe('');
    expect(listingText(empty, 'json')).toBe('[]\n');
  });

  it('has the same columns in colour', () => {
    const coloured = listingText(
      listing,
      'text',
      (format, text) => `<${String(format)}>${text}</>`,
    );
    expect(coloured).toContain('apple   <red>Failed</>\nfig     <green>Succeeded</>\n');
    const wide = listingText(listing, 'wide', (_format, text) => `<>${text}</>`);
    expect(wide).toContain('<>Failed</>      12 g\n');
  });
});
