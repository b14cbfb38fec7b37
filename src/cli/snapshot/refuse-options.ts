/** Refuses options of `lifehook snapshot create` and `plan` that would have no effect, before a cluster is asked. */
import { exitCodes } from '../exit-codes.ts';
import { reportProblems } from '../report-problems.ts';
import type { RequestOptions } from './request-options.ts';

/** Prints that no volume was selected, and returns the exit code. */
export function refuseWithoutClaims(): number {
  reportProblems([
    {
      code: 'LHS402',
      severity: 'error',
      message: 'A snapshot needs claims, but neither --claim nor --selector was given.',
      next: 'Name claims with --claim data, or choose them with --selector app=shop.',
    },
  ]);
  return exitCodes.wrongUse;
}

/** The exit code after a message about --pods or --container without a hook; null: there is nothing to refuse. */
export function refuseWithoutHook({
  template,
  recipe,
  pods,
  container,
}: RequestOptions): number | null {
  const given = [pods === undefined ? '' : '--pods', container === undefined ? '' : '--container'];
  const names = given.filter((one) => one !== '').join(' and ');
  if (names === '' || template !== undefined || recipe !== undefined) return null;
  reportProblems([
    {
      code: 'LHS414',
      severity: 'error',
      message: `${names} selects what a hook freezes, but neither --template nor --recipe was given.`,
      next: 'Give --template NAME or --recipe NAME, or leave these options out: then the annotations of the claims decide.',
    },
  ]);
  return exitCodes.wrongUse;
}

/**
 * Prints why the options of a plan are wrong, and returns the exit code; null: they are valid. Without claims the plan
 * is for the stored snapshot `name`, so options that describe a snapshot are refused.
 */
export function refusePlan(name: string | undefined, options: RequestOptions): number | null {
  const hasClaims = options.claim !== undefined || options.selector !== undefined;
  if (!hasClaims && (name === undefined || describesSnapshot(options))) {
    return refuseWithoutClaims();
  }
  return refuseWithoutHook(options);
}

/** True: the options describe a snapshot, although perhaps not its volumes. */
function describesSnapshot(options: RequestOptions): boolean {
  const { group, class: className, template, recipe, pods, container, cutDeadline } = options;
  const given = [group, className, template, recipe, pods, container, cutDeadline];
  return given.some((one) => one !== undefined);
}
