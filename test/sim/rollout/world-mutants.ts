import type { Mutant } from '../kept-mutants.ts';

/** Each is found by one kind of trouble of the server and by no other. */
export const rolloutWorldMutants: readonly Mutant[] = [
  {
    name: 'a write is believed that the server was put back before (restores)',
    file: 'src/controller/own-writes.ts',
    text: `if (this.#lists.listsReceived <= written.listsBegun) return`,
    by: `if (this.#lists.listsReceived <= written.listsBegun + 1e9) return`,
    breaks: ['ROLL-L8'],
    seeds: 200,
  },
];
