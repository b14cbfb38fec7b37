import type { Mutant } from '../kept-mutants.ts';

const ELECTION = 'src/controller/lease.ts';
const TERM = 'src/controller/lease-term.ts';

/** Each mutant breaks one promise about a Lease that a user edits, or that a process releases or acquires again. */
export const leaseMutants: readonly Mutant[] = [
  {
    name: 'a leader acts on after its Lease was deleted',
    file: TERM,
    text: `if (isReason(error, 'NotFound')) this.#lose('it was deleted');
      // The next renewal retries; the deadline of the term is not extended.
      else this`,
    by: 'this',
    breaks: ['CTRL-S2'],
  },
  {
    name: 'a leader acts on after its Lease was taken',
    file: TERM,
    text: `if (!sameObject || !sameTerm(found.spec, this.#lease.spec)) {`,
    by: `if (!sameObject) {`,
    breaks: ['CTRL-S2'],
  },
  {
    name: 'a leader that stops keeps its Lease',
    file: TERM,
    text: `    if (!held) return;
`,
    by: `    if (held !== null) return;
`,
    breaks: ['CTRL-M2'],
  },
  {
    name: 'a process waits for the term that it won',
    file: ELECTION,
    text: `    return this.#won !== null && sameTerm(spec, this.#won.spec);`,
    by: '    return false;',
    breaks: ['CTRL-L5'],
  },
  {
    name: 'a process does not recognise its own write',
    file: ELECTION,
    text: `    if (last !== null && sameStroke(spec, last)) return true;
`,
    by: '    void last;\n',
    breaks: ['CTRL-L5'],
  },
];
