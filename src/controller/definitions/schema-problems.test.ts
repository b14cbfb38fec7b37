/** The error for an invalid field has its path, the received value and the expected value (SNAP-R4, SNAP-G4). */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { fieldProblemMessage, fieldProblemsMessage } from './field-problem.ts';
import { intOrString, list, name, seconds, text, textMap } from './field-schemas.ts';
import { schemaProblems } from './schema-problems.ts';

const schemaOf = () =>
  z.strictObject({
    name: name('The name.').exactOptional(),
    note: text('A note.', 5).exactOptional(),
    wait: seconds('How long to wait.', 1, 60).exactOptional(),
    port: intOrString('A port.').exactOptional(),
    mode: z.enum(['on', 'off']).exactOptional(),
    flag: z.boolean().exactOptional(),
    items: list(z.strictObject({ path: z.string().describe('Name the path.'), size: z.int() }), {
      description: 'Items.',
      max: 2,
    }).exactOptional(),
    lists: z.array(z.array(z.string())).exactOptional(),
    labels: textMap('Labels.', 3).exactOptional(),
  });

const found = (value: unknown, field = 'spec') => {
  const { errors, warnings } = schemaProblems(schemaOf(), { field, value });
  return { errors: errors.map(fieldProblemMessage), warnings };
};

describe('the problems of a value by its schema', () => {
  it.each<[object, string]>([
    [{ name: '' }, 'spec.name: Invalid value: "": must have at least 1 characters'],
    [
      { note: 'abcdef' },
      'spec.note: Invalid value: "6 characters": must have at most 5 characters',
    ],
    [{ note: 1 }, 'spec.note: Invalid value: 1: must be a string'],
    [
      { wait: 0 },
      'spec.wait: Invalid value: 0: must be a whole number of seconds from 1 to 60, without quotes or a unit',
    ],
    [
      { wait: 61 },
      'spec.wait: Invalid value: 61: must be a whole number of seconds from 1 to 60, without quotes or a unit',
    ],
    [
      { wait: '5s' },
      'spec.wait: Invalid value: "5s": must be a whole number of seconds from 1 to 60, without quotes or a unit',
    ],
    [{ port: true }, 'spec.port: Invalid value: true: must be a number, or a name in quotes'],
    [{ port: null }, 'spec.port: Invalid value: null: must be a number, or a name in quotes'],
    [{ mode: 'up' }, 'spec.mode: Unsupported value: "up": supported values: "on", "off"'],
    [{ flag: 'true' }, 'spec.flag: Invalid value: "true": must be true or false, without quotes'],
    [{ items: 'a' }, 'spec.items: Invalid value: "a": must be a list'],
    [{ items: null }, 'spec.items: Invalid value: null: must be a list'],
    [{ items: { a: 1 } }, 'spec.items: Invalid value: {"a":1}: must be a list'],
    [{ items: { 'x-y': 1 } }, 'spec.items: Invalid value: {"x-y":1}: must be a list'],
    [{ items: { '-': 1 } }, 'spec.items: Invalid value: {"-":1}: must be a list'],
    [
      { items: { a: 1, '-path': 'x' } },
      'spec.items: Invalid value: "-path": this is not a list: begin each item with a dash and a space, as in "- path: …"',
    ],
    [
      { mode: { '-a': 1 } },
      'spec.mode: Unsupported value: {"-a":1}: supported values: "on", "off"',
    ],
    [
      { items: [1, 2, 3].map((size) => ({ path: 'a', size })) },
      'spec.items: Invalid value: 3: must have at most 2 items',
    ],
    [{ items: [{ path: 'a' }] }, 'spec.items[0].size: Required value: a value is required'],
    [
      { items: [{ path: 'a', size: 1 }, { size: 1 }] },
      'spec.items[1].path: Required value: Name the path.',
    ],
    [{ items: [null] }, 'spec.items[0]: Invalid value: null: must be an object'],
    [{ lists: [['a'], [1]] }, 'spec.lists[1][0]: Invalid value: 1: must be a string'],
    [
      { lists: [{ '-a': 1 }] },
      'spec.lists[0]: Invalid value: "-a": this is not a list: begin each item with a dash and a space, as in "- a: …"',
    ],
    [
      { labels: { a: 'abcd' } },
      'spec.labels.a: Invalid value: "4 characters": must have at most 3 characters',
    ],
  ])('of %j are named', (value, message) => {
    expect(found(value)).toEqual({ errors: [message], warnings: [] });
  });

  it('are none where it agrees, and name the top by its field', () => {
    expect(found({ port: 'http', wait: 1 })).toEqual({ errors: [], warnings: [] });
    expect(found({ port: 80, wait: 60 })).toEqual({ errors: [], warnings: [] });
    expect(found(null)).toEqual({
      errors: ['spec: Invalid value: null: must be an object'],
      warnings: [],
    });
  });

  it('are warnings for fields that it does not know, with the name that was meant', () => {
    expect(found({ notes: 'a', unlike: 1 }).warnings).toEqual([
      'unknown field "spec.notes"; did you mean "note"?',
      'unknown field "spec.unlike"',
    ]);
    expect(found({ items: [{ path: 'a', size: 1, sizes: 2 }] }, '')).toEqual({
      errors: [],
      warnings: ['unknown field "items[0].sizes"; did you mean "size"?'],
    });
  });

  it('are at most 20', () => {
    const labels = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`k${at}`, 'long']));
    expect(found({ labels }).errors).toHaveLength(20);
  });

  it('are reported next to any number of unknown fields', () => {
    const unknown = Array.from({ length: 25 }, () => ({ size: 1, colour: 'red' }));
    const { errors, warnings } = schemaProblems(z.array(z.strictObject({ size: z.int() })), {
      field: 'spec',
      value: [...unknown, { size: 'a' }],
    });
    expect(errors.map(fieldProblemMessage)).toEqual([
      'spec[25].size: Invalid value: "a": must be a whole number, without quotes',
    ]);
    expect(warnings).toHaveLength(20);
  });

  it('stand in brackets where they are several', () => {
    const { errors } = schemaProblems(schemaOf(), { field: 'spec', value: { flag: 1, note: 1 } });
    const [note, flag] = [
      'spec.note: Invalid value: 1: must be a string',
      'spec.flag: Invalid value: 1: must be true or false, without quotes',
    ];
    expect(fieldProblemsMessage(errors)).toBe(`[${note}, ${flag}]`);
    expect(fieldProblemsMessage(errors.slice(0, 1))).toBe(note);
  });
});
