/** The events of a container's life as lines: warnings always, everything else with --verbose. */
import type { LifeEvent } from '../lifecycles/container/life/life.ts';
import type { Outcome } from '../model/attempt.ts';
import type { RunEvent } from '../model/event.ts';
import { formatProblem } from '../model/problem.ts';
import { colourOf } from './colour.ts';

export interface LineTarget {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export function lifePrinter(target: LineTarget, verbose: boolean): (event: LifeEvent) => void {
  const colour = colourOf(target);
  const outcomeText = (outcome: Outcome): string =>
    colour(outcome === 'Succeeded' ? 'green' : 'red', outcome);
  const hookLines = (event: RunEvent): string[] => {
    switch (event.type) {
      case 'AttemptSettled': {
        const { outcome, durationMs, reason } = event.result;
        const why = outcome === 'Succeeded' ? '' : `: ${reason}`;
        return [`${event.step}  ${outcomeText(outcome)} in ${Math.round(durationMs)} ms${why}`];
      }
      case 'Output':
        return event.text
          .trimEnd()
          .split('\n')
          .map((line) => `${event.step}  ${colour('dim', '|')} ${line}`);
      case 'RunOpened':
      case 'AttemptStarted':
      case 'CancelRequested':
      case 'RunSettled':
        return [];
      default:
        return event satisfies never;
    }
  };
  return (event) => {
    if (event.type === 'Warning')
      target.write(`${colour('yellow', formatProblem(event.problem))}\n`);
    else if (verbose) {
      const lines = event.type === 'Status' ? [event.status] : hookLines(event.event);
      for (const line of lines) target.write(`${colour('dim', event.id)}  ${line}\n`);
    }
  };
}
