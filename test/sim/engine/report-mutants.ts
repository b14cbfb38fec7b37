import type { Mutant } from '../kept-mutants.ts';

/** Each mutant breaks a promise about the reports of a run, its cancellation, or its pauses. */
export const engineReportMutants: readonly Mutant[] = [
  {
    name: 'a cancellation does not end a pause',
    file: 'src/engine/run.ts',
    text: `  return sleep(platform.timers, ms, signal.aborted ? neverCancelled : signal);`,
    by: `  return sleep(platform.timers, ms, neverCancelled);`,
    breaks: ['ENG-E18'],
  },
  {
    name: 'a cancellation is not recorded',
    file: 'src/engine/run.ts',
    text: `  else signal.addEventListener('abort', record);`,
    by: ``,
    breaks: ['ENG-E18'],
  },
  {
    name: 'the last cause is the outcome',
    file: 'src/engine/causes.ts',
    text: `  return causes.toSorted((a, b) => a.index - b.index);`,
    by: `  return causes.toSorted((a, b) => b.index - a.index);`,
    breaks: ['ENG-E15'],
  },
  {
    name: 'output after the end of an attempt is passed on',
    file: 'src/engine/make-attempt.ts',
    text: `        if (!ended) onOutput?.(stream, text);`,
    by: `        onOutput?.(stream, text);`,
    breaks: ['ENG-E10'],
  },
  {
    name: 'the longest pause is ten times as long',
    file: 'src/engine/retry.ts',
    text: `MAX_PAUSE_MS = 300_000`,
    by: `MAX_PAUSE_MS = 3_000_000`,
    breaks: ['ENG-E12'],
  },
  {
    name: 'an ignored failure is no warning',
    file: 'src/engine/run.ts',
    text: `  if (outcome === 'Succeeded') return [];`,
    by: `  if (outcome !== 'TimedOut') return [];`,
    breaks: ['ENG-E17'],
  },
  {
    name: 'a listener that broke is no warning',
    file: 'src/engine/run.ts',
    text: `  if (log.listenerError === null) return result;`,
    by: `  if (log.records.length > 0) return result;`,
    breaks: ['ENG-E17'],
  },
  {
    name: 'a listener that broke is called again',
    file: 'src/engine/run-log.ts',
    text: `    if (this.#listenerError !== null) return;`,
    by: ``,
    breaks: ['ENG-E17'],
  },
];
