/** In the details of a run that did not end well: its steps next to those of the last good run. */
import type { Bar } from '../bar.ts';
import { comparedSteps, lastGoodRun, type StepFacts } from './compare-runs.ts';
import { button, element } from './elements.ts';
import type { Actions, Scene } from './view.ts';
import { clockText, dateText, durationText } from './words.ts';

/** Beyond this the table is the place. */
const STEPS_MAX = 60;

export interface Compared {
  readonly run: readonly Bar[];
  readonly bars: readonly Bar[];
  readonly nowMs: Scene['nowMs'];
}

export function comparison(actions: Actions, { run, bars, nowMs }: Compared): Node[] {
  if (!run.some(({ outcome }) => outcome === 'Failed' || outcome === 'Unknown')) return [];
  const good = lastGoodRun(bars, run);
  const title = element('h3', {}, ['Compared with the last good run']);
  const [first] = good ?? [];
  if (good === null || first === undefined) {
    return [title, element('p', { class: 'soft' }, ['No earlier run succeeded in these steps.'])];
  }
  const go = button(first.run, { class: 'link' }, () => {
    actions.select(first, { isOpen: true });
  });
  const when = ` of ${dateText(first.startMs)}, ${clockText(first.startMs, 's')}`;
  const steps = comparedSteps(run, good, nowMs);
  const rows = steps
    .slice(0, STEPS_MAX)
    .map(({ label, difference, failed, good: was }) =>
      element('tr', { class: difference === null ? 'is-alike' : 'is-different' }, [
        element('th', { scope: 'row' }, [label]),
        element('td', {}, [factsText(was)]),
        element('td', {}, [
          element('span', {}, [factsText(failed)]),
          ...(difference === null ? [] : [element('strong', {}, [difference])]),
        ]),
      ]),
    );
  const heads = ['Step', 'Last good run', 'This run'].map((name) =>
    element('th', { scope: 'col' }, [name]),
  );
  const left = steps.length - rows.length;
  return [
    title,
    element('p', {}, [go, when]),
    element('table', { class: 'comparison' }, [
      element('thead', {}, [element('tr', {}, heads)]),
      element('tbody', {}, rows),
    ]),
    ...(left > 0 ? [element('p', { class: 'soft' }, [`and ${left} more`])] : []),
  ];
}

const factsText = (facts: StepFacts | null): string =>
  facts === null ? '\u2013' : `${facts.outcome}, ${durationText(facts.durationMs)}`;
