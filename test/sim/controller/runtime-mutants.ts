import type { Mutant } from '../kept-mutants.ts';

/** Each breaks what the runtime promises to a cluster that others write to as well. */
export const runtimeMutants: readonly Mutant[] = [
  {
    name: 'a patch is not asked whether its process still leads',
    file: 'src/controller/fenced-client.ts',
    text: `    patch: async (resource, key, options) => {
      check(mayAct);`,
    by: `    patch: async (resource, key, options) => {`,
    breaks: ['CTRL-S2'],
  },
  {
    name: 'a deletion is not asked whether its process still leads',
    file: 'src/controller/fenced-client.ts',
    text: `    delete: async (resource, key, options) => {
      check(mayAct);`,
    by: `    delete: async (resource, key, options) => {`,
    breaks: ['CTRL-S2'],
  },
  {
    name: 'a term does not end while its machine sleeps',
    file: 'src/controller/lease-term.ts',
    text: `Math.max(passedMs, wallPassedMs)`,
    by: `passedMs`,
    breaks: ['CTRL-S2'],
  },
];
