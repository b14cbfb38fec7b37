import type { Mutant } from '../kept-mutants.ts';

const FILE = 'src/controller/expectations.ts';

/** Each mutant makes the controller forget a create or delete, or wait for one that has no effect. */
export const childrenMutants: readonly Mutant[] = [
  {
    name: 'a deletion is not expected',
    file: FILE,
    text: `    if (!this.#ended.has(uid)) expected.deleted.add(uid);
`,
    by: '',
    breaks: ['CTRL-X1'],
  },
  {
    name: 'a create of unknown outcome is not expected',
    file: FILE,
    text: `      if (isUnknown(error)) expected.unknown += 1;
`,
    by: '',
    breaks: ['CTRL-X3'],
  },
  {
    name: 'a delete of unknown outcome is forgotten',
    file: FILE,
    text: `if (!isUnknown(error)) expected.deleted.delete(uid);`,
    by: `expected.deleted.delete(uid);`,
    breaks: ['CTRL-X1'],
  },
  {
    name: 'a refused create is waited for',
    file: FILE,
    text: `if (isUnknown(error)) expected.unknown += 1;`,
    by: `expected.unknown += 1;`,
    breaks: ['CTRL-X2'],
  },
  {
    name: 'a refused delete is waited for',
    file: FILE,
    text: `      if (!isUnknown(error)) expected.deleted.delete(uid);
`,
    by: '',
    breaks: ['CTRL-X2'],
  },
  {
    name: 'an object that was seen before the answer is waited for',
    file: FILE,
    text: `if (!expected.seenEarly.delete(uid)) expected.created.add(uid);`,
    by: `expected.created.add(uid);`,
    breaks: ['CTRL-X2'],
  },
];
