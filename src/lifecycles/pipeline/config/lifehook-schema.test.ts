import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';

import { lifehookSchemaText } from '../../../../scripts/lifehook-schema-text.ts';
import { parseLifehook } from './lifehook-schema.ts';

describe('the schema of lifehook.yaml', () => {
  it('equals the published docs/schema/lifehook.json when it is generated again', async () => {
    const published: unknown = JSON.parse(await readFile('docs/schema/lifehook.json', 'utf8'));
    expect(JSON.parse(lifehookSchemaText())).toEqual(published);
  });

  it('accepts and refuses the same files as parseLifehook', () => {
    const validate = new Ajv2020({ strict: false }).compile(
      JSON.parse(lifehookSchemaText()) as object,
    );
    const files = [
      {},
      { policies: { 'build/a/after/0': { retries: 2, run: 'changed' } } },
      { policies: { 'build/a/after/0': { retries: -1 } } },
      // The engine refuses a longer pause.
      { policies: { 'build/a/after/0': { backoffSeconds: 301 } } },
      { policies: { 'build/a/after/0': { retires: 1 } } },
      { verify: { finally: [{ host: { command: ['a'] } }] } },
      { verify: { finally: [{ host: { command: [] } }] } },
    ];
    const read = files.map((file) => parseLifehook(file).kind === 'read');
    expect(read).toEqual([true, true, false, false, false, true, false]);
    expect(files.map((file) => validate(file))).toEqual(read);
  });

  it('lists the known fields of the object in which an unknown field is set', () => {
    const knownIn = (file: object): readonly string[] => {
      const parsed = parseLifehook(file);
      return parsed.kind === 'refused' ? parsed.issues.flatMap(({ known }) => known) : [];
    };
    // "before" is a known field elsewhere, but not in a stage, so it must not be in the list.
    expect(knownIn({ stages: { 'build/web': { before: [] } } })).toEqual(['onError', 'finally']);
    expect(knownIn({ verify: { befor: [] } })).toEqual(['before', 'after', 'onError', 'finally']);
    expect(knownIn({ verify: { after: [{ host: { comand: [], command: ['a'] } }] } })).toEqual([
      'command',
      'os',
      'dir',
    ]);
    expect(knownIn({ policies: { 'build/a/after/0': { host: 1 } } })).toContain('retries');
    expect(knownIn({ stage: {} })).toContain('stages');
  });
});
