/** Compares a failed run with the last successful one of the same steps. Pure. */
import type { Bar, BarOutcome } from '../bar.ts';
import { isWholeRun, runKeyOf } from '../run-summary.ts';
import { button, element } from './elements.ts';
import type { Actions, Scene } from './view.ts';
import { barDurationMs, clockText, countText, dateText, durationText } from './words.ts';

export interface StepFacts {
  /** Outcome of the last attempt of the step. */
  readonly outcome: BarOutcome;
  /** Milliseconds from the start of the first attempt to the end of the last one. */
  readonly durationMs: number;
  readonly attempts: number;
  readonly exitCode: number | null;
}

export interface ComparedStep {
  readonly label: string;
  /** null: the run has no such step. */
  readonly good: StepFacts | null;
  readonly failed: StepFacts | null;
  /** Text of the difference; null: the steps are equal. */
  readonly difference: string | null;
}

/** The newest successful run that ended before `run` started and that has a hook of `run`; null: none is known. */
export function lastGoodRun(bars: readonly Bar[], run: readonly Bar[]): readonly Bar[] | null {
  const beginMs = Math.min(...run.map(({ startMs }) => startMs));
  const hooks = new Set(run.filter(({ kind }) => kind === 'hook').map(stepKey));
  const related = new Set<string>();
  for (const bar of bars) {
    if (bar.startMs < beginMs && hooks.has(stepKey(bar))) related.add(runKeyOf(bar));
  }
  const runs = new Map<string, Bar[]>([...related].map((key) => [key, []]));
  for (const bar of bars) runs.get(runKeyOf(bar))?.push(bar);
  const good = [...runs.values()].filter((one) => isGood(one) && endOf(one) <= beginMs);
  return good.toSorted((one, other) => endOf(other) - endOf(one))[0] ?? null;
}

const endOf = (run: readonly Bar[]): number =>
  Math.max(...run.map(({ endMs }) => endMs ?? Infinity));

function isGood(run: readonly Bar[]): boolean {
  const whole = run.find(isWholeRun);
  if (whole !== undefined) return whole.outcome === 'Succeeded';
  const outcomes = [...stepsOf(run).values()].map((step) => step.at(-1)?.outcome);
  return (
    outcomes.includes('Succeeded') &&
    outcomes.every((outcome) => outcome === 'Succeeded' || outcome === 'Skipped')
  );
}

/** Steps of the failed run in the order of their starts, and then the steps that it did not reach. */
export function comparedSteps(
  failed: readonly Bar[],
  good: readonly Bar[],
  nowMs: number,
): readonly ComparedStep[] {
  const [failedSteps, goodSteps] = [stepsOf(failed), stepsOf(good)];
  const keys = new Set([...failedSteps.keys(), ...goodSteps.keys()]);
  return [...keys].flatMap((key) => {
    const [one, other] = [failedSteps.get(key), goodSteps.get(key)];
    const [bar] = one ?? other ?? [];
    if (bar === undefined) return [];
    const step = { failed: factsOf(one, nowMs), good: factsOf(other, nowMs) };
    return [{ label: labelOf(bar), ...step, difference: differenceOf(step) }];
  });
}

const labelOf = (bar: Bar): string => (isWholeRun(bar) ? 'whole run' : `${bar.point}: ${bar.name}`);

/** Attempts by step, in the order of their starts. A snapshot cut is left out, since it has no outcome of its own. */
function stepsOf(run: readonly Bar[]): ReadonlyMap<string, readonly Bar[]> {
  const steps = new Map<string, Bar[]>();
  for (const bar of run.toSorted((one, other) => one.startMs - other.startMs)) {
    if (bar.kind === 'cut') continue;
    const key = stepKey(bar);
    const known = steps.get(key);
    if (known === undefined) steps.set(key, [bar]);
    else known.push(bar);
  }
  return steps;
}

/** The same key for one step in every run, although pods, containers and snapshots have other names in each run. */
function stepKey(bar: Bar): string {
  const name = isWholeRun(bar) ? '' : bar.name;
  return JSON.stringify([bar.lifecycle, placeOf(bar), bar.kind, bar.point, name]);
}

function placeOf({ lifecycle, lane, run }: Bar): string {
  const [namespace = '', name = '', ...rest] = lane.split('/');
  if (lifecycle === 'container') return '';
  if (lifecycle === 'pod') return [namespace, ...rest].join('/');
  return lifecycle === 'snapshot' && name === run ? namespace : lane;
}

function factsOf(attempts: readonly Bar[] | undefined, nowMs: number): StepFacts | null {
  const [first] = attempts ?? [];
  const last = attempts?.at(-1);
  if (first === undefined || last === undefined) return null;
  return {
    outcome: last.outcome,
    durationMs: barDurationMs({ ...last, startMs: first.startMs }, nowMs),
    attempts: attempts?.length ?? 0,
    exitCode: last.exitCode ?? null,
  };
}

/** A step counts as slower if it took more than twice as long, and more than a second more. */
const SLOWER_FACTOR = 2;
const SLOWER_MS = 1_000;

function differenceOf({ failed, good }: Pick<ComparedStep, 'failed' | 'good'>): string | null {
  if (failed === null || good === null) return failed === null ? 'not reached' : 'not in that run';
  const parts: string[] = [];
  if (failed.outcome !== good.outcome) {
    const code = failed.exitCode === null ? '' : ` with exit code ${failed.exitCode}`;
    parts.push(`${failed.outcome}${code}`);
  }
  if (failed.attempts !== good.attempts) parts.push(countText(failed.attempts, 'attempt'));
  const factor = slowerFactor(failed.durationMs, good.durationMs);
  if (factor !== null)
    parts.push(`${factor < 10 ? factor.toFixed(1) : Math.round(factor)} times as long`);
  return parts.length === 0 ? null : parts.join(', ');
}

function slowerFactor(ms: number, wasMs: number): number | null {
  const factor = ms / Math.max(wasMs, 1);
  return ms - wasMs > SLOWER_MS && factor > SLOWER_FACTOR ? factor : null;
}

/** Maximum number of steps that the details show; the table shows all. */
const STEPS_MAX = 60;

export interface Compared {
  readonly run: readonly Bar[];
  readonly bars: readonly Bar[];
  readonly nowMs: Scene['nowMs'];
}

/** The steps of a run that did not succeed, next to those of the last successful run, for the details. */
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
