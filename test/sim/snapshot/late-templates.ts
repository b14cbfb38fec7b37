/** Templates that are created late or never. SNAP-I17: the requirements for the hooks that name them. */
import { isTerminating } from '../../../src/controller/finalizers.ts';
import { resourceName } from '../../../src/kube/object.ts';
import {
  type ExecutionHook,
  executionHooks,
  executionHookTemplates,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { TEMPLATE_PATIENCE_SECONDS } from '../../../src/lifecycles/snapshot/schema/limits.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { HookView } from './hook-views.ts';
import { type Court, mayBeLate } from './judge.ts';
import { type PhaseFacts, phasesOfHook, type SnapshotPhase } from './phases.ts';
import { templateName } from './hook-plans.ts';
import type { Scene } from './scene.ts';
import { NAMESPACE } from './sim-cluster.ts';

const TEMPLATES = resourceName(executionHookTemplates);
const REASON = 'TemplateNotFound';
/** Tolerance in milliseconds: times on the server have whole seconds, and a reconcile takes some time. */
const SLACK_MS = 2_000;

/**
 * Milliseconds from the request of a snapshot until its hook's template is created; null: never. Keyed by the hook's
 * tag.
 */
export type LateTemplates = ReadonlyMap<string, number | null>;

export function throwLateTemplates(random: Random, { snapshots }: Scene): LateTemplates {
  const tags = snapshots.flatMap(({ hooks }) => hooks.map(({ tag }) => tag));
  if (!random.chance(0.25)) return new Map();
  const late = tags.filter(() => random.chance(0.6));
  return new Map(late.map((tag) => [tag, random.chance(0.3) ? null : random.between(100, 40_000)]));
}

/** The phase in which a missing template matters: a hook needs its template before it freezes. */
const BEFORE = (): readonly SnapshotPhase[] => ['before the freeze'];

/** Deletes the templates, and creates the late ones later. Call it before the controllers start. */
export function holdBack(
  { world, api }: { readonly world: World; readonly api: SimApi },
  scene: Scene,
  late: LateTemplates,
): void {
  for (const { hooks, atMs } of scene.snapshots) {
    for (const { tag, actions } of hooks) {
      const afterMs = late.get(tag);
      const kind = afterMs === null ? 'template missing' : 'template late';
      if (afterMs === undefined || !world.faults.of(kind, tag).strikes(null, BEFORE)) continue;
      const key = { namespace: NAMESPACE, name: templateName(tag) };
      api.delete(executionHookTemplates, key, {});
      world.note(`template ${key.name} is created ${afterMs === null ? 'never' : 'late'}`);
      if (afterMs === null) continue;
      world.after(atMs + afterMs, () => {
        api.create(executionHookTemplates, { metadata: key, ...actions });
      });
    }
  }
}

/** Counts the phases in which hooks wait for a template. */
export function countAwaited(
  facts: PhaseFacts & { readonly world: World },
  late: LateTemplates,
): void {
  if (late.size === 0) return;
  const { world, api } = facts;
  const kinds = new Map(
    [...late].map(([tag, ms]) => [
      templateName(tag),
      ms === null ? 'template missing' : 'template late',
    ]),
  );
  const counted = new Set<string>();
  api.onCommit(() => {
    for (const hook of api.peek(executionHooks) as unknown as readonly ExecutionHook[]) {
      const kind = kinds.get(hook.spec.executionHookTemplateName ?? '');
      if (kind === undefined || !waitsForTemplate(hook)) continue;
      for (const phase of phasesOfHook(facts, hook)) {
        const text = `${hook.metadata?.uid ?? ''} ${phase}`;
        if (!counted.has(text)) world.faults.met(kind, () => [phase]);
        counted.add(text);
      }
    }
  });
}

/** SNAP-I17: a hook waits for its template until the limit, and no longer. */
export class TemplateJudge {
  readonly #court: Court;
  /** Simulated time of each existing template's creation, in milliseconds, keyed by name. */
  readonly #createdMs = new Map<string, number>();
  /** Simulated time at which each hook was first seen, in milliseconds, keyed by UID. */
  readonly #seenMs = new Map<string, number>();

  constructor(court: Court) {
    this.#court = court;
    court.api.onCommit(({ resource, type, object }) => {
      if (resource !== TEMPLATES) return;
      const { name = '' } = object.metadata;
      if (type === 'Delete') this.#createdMs.delete(name);
      else if (!this.#createdMs.has(name)) this.#createdMs.set(name, court.world.elapsedMs);
    });
    court.views.listen((view) => {
      this.#judge(view);
    });
  }

  #judge(view: HookView): void {
    const { elapsedMs } = this.#court.world;
    const seenMs = this.#seenMs.get(view.uid) ?? elapsedMs;
    this.#seenMs.set(view.uid, seenMs);
    const { executionHookTemplateName: template } = view.hook.spec;
    // A slow or stopped controller acts late, and one with a wrong clock may act early. A hook whose status is refused
    // begins only when the server accepts it.
    const mayWait = mayBeLate(this.#court, seenMs) || this.#court.troubles.has('refusals');
    if (template === undefined || mayWait) return;
    const ageMs = elapsedMs - seenMs;
    const createdMs = this.#createdMs.get(template) ?? elapsedMs;
    const sinceMs = Math.min(ageMs, elapsedMs - createdMs);
    if (begins(view)) this.#judgeBeginning(view, sinceMs);
    if (failsForTemplate(view)) this.#judgeFailure(view, { ageMs, sinceMs });
    const longestMs = TEMPLATE_PATIENCE_SECONDS * 1_000 + SLACK_MS;
    if (waitsForTemplate(view.hook) && ageMs > longestMs) {
      this.#violate(view.name, `it still waits for its template after ${ageMs} ms`);
    }
  }

  #judgeBeginning({ name }: HookView, sinceMs: number): void {
    if (sinceMs <= SLACK_MS) return;
    this.#violate(name, `it begins ${sinceMs} ms after its template was created`);
  }

  /** `sinceMs`: milliseconds for which both the hook and its template have existed. */
  #judgeFailure(
    { name }: HookView,
    { ageMs, sinceMs }: { readonly ageMs: number; readonly sinceMs: number },
  ): void {
    if (sinceMs > SLACK_MS) {
      this.#violate(name, 'it fails for the want of a template that exists');
    }
    if (ageMs < TEMPLATE_PATIENCE_SECONDS * 1_000 - SLACK_MS) {
      this.#violate(name, `it waits for its template for ${ageMs} ms only`);
    }
  }

  #violate(name: string, why: string): void {
    this.#court.world.violate('SNAP-I17', `hook ${name}: ${why}`);
  }
}

function begins({ before, hook }: HookView): boolean {
  return before?.status?.resolved === undefined && hook.status?.resolved !== undefined;
}

export function waitsForTemplate(hook: ExecutionHook): boolean {
  const { conditions = [], resolved, preActionSucceed } = hook.status ?? {};
  if (isTerminating(hook)) return false;
  if (resolved !== undefined || preActionSucceed !== undefined) return false;
  return conditions.some(({ type, reason }) => type === 'Frozen' && reason === REASON);
}

function failsForTemplate({ before, hook }: HookView): boolean {
  const has = ({ status }: ExecutionHook): boolean =>
    status?.conditions?.some(({ type, reason }) => type === 'Failed' && reason === REASON) === true;
  return has(hook) && (before === null || !has(before));
}
