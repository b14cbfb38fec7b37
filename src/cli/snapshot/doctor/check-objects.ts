/** Checks hooks and snapshots: references to missing templates, and targets that are frozen now. Pure. */
import { type FrozenTarget, frozenTargets } from '../../../lifecycles/snapshot/frozen-targets.ts';
import type { ExecutionHook } from '../../../lifecycles/snapshot/kinds.ts';
import { rightText } from '../../doctor/asked.ts';
import type { Clocks } from '../../doctor/facts.ts';
import { type Finding, grant, span, unknownFinding } from '../../doctor/finding.ts';
import type { Seen } from '../../doctor/seen.ts';
import type { ObjectFacts } from './gather-objects.ts';

export function templates(objects: ObjectFacts): readonly Finding[] {
  const check = 'templates';
  const { hooks, snapshots, templates: references } = objects;
  if (isNotInstalled(hooks)) return [];
  const bad = references.flatMap(({ namespace, template, by, found }): Finding[] => {
    const what = `${by} in namespace ${namespace} refers to ExecutionHookTemplate ${template}`;
    if (found.kind === 'known') return [];
    if (found.kind !== 'absent')
      return [
        unknownFinding(
          check,
          `whether ExecutionHookTemplate ${template} exists, to which ${by} in namespace ${namespace} refers,`,
          found,
        ),
      ];
    const next = `Create it, or correct the name: kubectl get executionhooktemplates -n ${namespace}`;
    return [{ check, result: 'error', found: `${what}, which does not exist`, next }];
  });
  const unseen = snapshots.kind === 'known' ? partOf(check, snapshots) : unseenOf(check, snapshots);
  if (bad.length + unseen.length > 0) return [...bad, ...unseen];
  const found =
    references.length === 0
      ? 'no object refers to a template'
      : `all templates that are referred to exist (${references.length})`;
  return [{ check, result: 'ok', found }];
}

function unseenOf(check: string, seen: Seen<object>): Finding[] {
  return seen.kind === 'known'
    ? []
    : [unknownFinding(check, 'whether all templates exist that objects refer to', seen)];
}

/** A warning if only one namespace could be listed. */
function partOf(check: string, seen: Seen<object>): Finding[] {
  if (seen.kind !== 'known' || seen.value.onlyIn === undefined) return [];
  const { namespace, right } = seen.value.onlyIn;
  const found = `only namespace ${namespace} was checked: you may not ${rightText(right)} in all namespaces`;
  return [{ check, result: 'warning', found, next: grant([right]) }];
}

function isNotInstalled(seen: Seen<object>): boolean {
  return seen.kind === 'absent';
}

export function frozenNow({ hooks }: ObjectFacts, clock: Clocks): readonly Finding[] {
  const check = 'frozen';
  if (isNotInstalled(hooks)) return [];
  if (hooks.kind !== 'known') return [unknownFinding(check, 'what is frozen', hooks)];
  const frozen = hooks.value.items.flatMap((hook) =>
    frozenTargets(hook).map((target) => frozenFinding(hook, target, clock)),
  );
  const unseen = partOf(check, hooks);
  if (frozen.length + unseen.length > 0) return [...frozen, ...unseen];
  return [{ check, result: 'ok', found: 'nothing is frozen' }];
}

function frozenFinding(hook: ExecutionHook, target: FrozenTarget, clock: Clocks): Finding {
  const check = 'frozen';
  const { namespace, pod, container, hook: name, since, overdue, unproven } = target;
  const sinceMs = Date.parse(since);
  const nowMs = clock.serverMs ?? clock.localMs;
  const where = `pod ${namespace}/${pod}, container ${container}, by ExecutionHook ${name}`;
  const age = Number.isNaN(sinceMs) ? '' : ` for ${span(Math.max(0, nowMs - sinceMs))}`;
  if (unproven) {
    const found = `${where}: the container exited, and no thaw is proven`;
    const next = `On the node of the pod, check whether the volumes of this container are frozen, and thaw them (fsfreeze --unfreeze MOUNT); then: lifehook snapshot release ${name} -n ${namespace} --by YOU`;
    return { check, result: 'error', found, next };
  }
  const next = `lifehook snapshot thaw ${name} -n ${namespace}`;
  if (overdue) {
    return { check, result: 'error', found: `${where}: frozen${age}; its thaw has failed`, next };
  }
  const limitMs = (hook.status?.resolved?.expirationSeconds ?? Infinity) * 1_000;
  if (nowMs - sinceMs > limitMs + LATE_MS) {
    const late = `${where}: frozen${age}, ${span(nowMs - sinceMs - limitMs)} longer than allowed`;
    return { check, result: 'error', found: late, next };
  }
  return { check, result: 'warning', found: `${where}: frozen${age}`, next };
}

/** Milliseconds after the expiry. A target that is still frozen then is an error. */
const LATE_MS = 5_000;
