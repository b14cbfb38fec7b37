import process from 'node:process';

import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';

import { recipes } from '../../../lifecycles/snapshot/recipes/all-recipes.ts';
import type { OutputFormat } from '../../shared-options.ts';
import { runRecipesShow } from './show.ts';

function shown(name: string, output: OutputFormat): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    runRecipesShow(name, { output, set: {} });
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

describe('lifehook recipes show', () => {
  it.each(recipes)('prints $name in each format, without a value for any parameter', ({ name }) => {
    expect(shown(name, 'text')).toContain(name);
    const value: unknown = JSON.parse(shown(name, 'json'));
    expect(value).toMatchObject({ name });
    expect(parse(shown(name, 'yaml'))).toEqual(value);
  });

  it('prints the pattern of a parameter as text', () => {
    const parameters = expect.arrayContaining([
      expect.objectContaining({ pattern: expect.stringMatching(/^\^/) }),
    ]);
    const value: unknown = JSON.parse(shown('sqlite-lock', 'json'));
    expect(value).toMatchObject({ parameters, verify: { parameters } });
  });

  it('shows a required path by its name in brackets', () => {
    expect(shown('sqlite-lock', 'text')).toContain('/<database>');
  });
});
