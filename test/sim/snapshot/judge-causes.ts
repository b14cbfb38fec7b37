/** SNAP-I21: judges the recorded cause of a thaw by the requests and events of its hook. */
import type { ReleaseCause } from '../../../src/lifecycles/snapshot/kinds.ts';
import { CUT_RELEASE, RELEASE } from '../../../src/lifecycles/snapshot/names.ts';
import { type HookView, tagOf, targetsIn } from './hook-views.ts';
import type { Court } from './judge.ts';

export class CauseJudge {
  readonly #court: Court;
  /** All causes that the hook's annotations have ever requested, keyed by the hook's UID. */
  readonly #asked = new Map<string, ReadonlySet<ReleaseCause>>();

  constructor(court: Court) {
    this.#court = court;
    court.views.listen((view) => {
      this.#look(view);
    });
  }

  #look({ uid, name, hook, before }: HookView): void {
    const asked = new Set([...(this.#asked.get(uid) ?? []), ...askedOf(hook)]);
    this.#asked.set(uid, asked);
    const { release } = hook.status ?? {};
    if (release === undefined || before?.status?.release !== undefined) return;
    if (asked.has(release.cause) || this.#hasHappened(release.cause, hook)) return;
    const what = [...asked].join(', ') || 'nothing';
    const why = `it says that it thaws for ${release.cause}, and was asked for ${what}`;
    this.#court.world.violate('SNAP-I21', `hook ${name}: ${why}`);
  }

  #hasHappened(cause: ReleaseCause, hook: HookView['hook']): boolean {
    const targets = targetsIn(hook);
    switch (cause) {
      case 'Cut':
      case 'Human':
      case 'Deleted':
        return false;
      case 'PreFailed':
        return targets.some(({ preActionStatus }) => preActionStatus?.actionSucceed === false);
      case 'Broken':
        return targets.some(({ freezeLost }) => freezeLost !== undefined);
      case 'Expired':
        // SNAP-R23: without `expirationSeconds` a hook never expires.
        return this.#court.planOf(tagOf(hook)).actions.expirationSeconds !== undefined;
      default:
        return cause satisfies never;
    }
  }
}

function askedOf({ metadata = {} }: HookView['hook']): readonly ReleaseCause[] {
  const { annotations = {}, deletionTimestamp } = metadata;
  return [
    ...(annotations[RELEASE] === undefined ? [] : (['Human'] as const)),
    ...(annotations[CUT_RELEASE] === undefined ? [] : (['Cut'] as const)),
    ...(deletionTimestamp === undefined ? [] : (['Deleted'] as const)),
  ];
}
