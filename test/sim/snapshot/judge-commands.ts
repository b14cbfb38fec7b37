/** Judges each command when it is sent: SNAP-I3, SNAP-I4, SNAP-I6, SNAP-I8 to SNAP-I11, SNAP-I13 to SNAP-I15. */
import { leases } from '../../../src/kube/resources.ts';
import type {
  ActionStatus,
  ContainerStatus,
  ResolvedActions,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { HOOK_FINALIZER } from '../../../src/lifecycles/snapshot/names.ts';
import type { Command } from './account.ts';
import { hasReplicas } from './faults.ts';
import { type HookView, isOverdue, targetsIn } from './hook-views.ts';
import { type Court, isBeforeRestore, isTakenOn } from './judge.ts';
import { othersOf } from './sibling-tags.ts';

/** Milliseconds after which a controller must know that a pod with the name of a deleted one was created. */
const KNOWN_AFTER_MS = 60_000;

/** Returns why a command must not be sent, as the end of a sentence; null if it may be sent. */
type Rule = (court: Court, sent: Sent) => string | null;

interface Sent {
  readonly command: Command;
  readonly view: HookView | undefined;
  /** The target of the command in the hook's status. */
  readonly target: ContainerStatus | undefined;
}

const OF_ALL: readonly [string, Rule][] = [['SNAP-I9', whoseFreeze]];
const OF_CONTROLLERS: readonly [string, Rule][] = [
  ['SNAP-I14', whoLeads],
  ['SNAP-I3', whereStored],
  ['SNAP-I10', whatIsStored],
];
const OF_FREEZES: readonly [string, Rule][] = [
  ['SNAP-I8', whatHoldsIt],
  ['SNAP-I3', (_, { target }) => whyNoIntent(target?.preActionStatus)],
  ['SNAP-I6', whetherDecided],
  ['SNAP-I11', whoComesBefore],
  ['SNAP-I13', whatIsUnknown],
  ['SNAP-I15', whatIsOverdue],
];
const OF_THAWS: readonly [string, Rule][] = [
  ['SNAP-I4', whetherFrozen],
  ['SNAP-I4', whetherStarted],
  ['SNAP-I3', whyNoThawIntent],
  ['SNAP-I4', whetherReplaced],
  ['SNAP-I11', whoComesAfter],
];

export function judgeCommand(court: Court, command: Command): void {
  const { verb, tag, pod, container, host } = command;
  if (verb === 'probe') return;
  const view = court.views.ofTag(tag);
  const target = view === undefined ? undefined : findTarget(view, command);
  const rules = rulesFor(court, command, view);
  for (const [invariant, rule] of rules) {
    const why = rule(court, { command, view, target });
    if (why === null) continue;
    const who = host ?? 'the session helper';
    court.world.violate(
      invariant,
      `${who} sends ${verb} ${tag} to ${pod}/${container}, and ${why}`,
    );
  }
}

function rulesFor(
  { troubles, disturbances, views }: Court,
  { verb, host, tag }: Command,
  view: HookView | undefined,
): readonly [string, Rule][] {
  if (host === null) return OF_ALL;
  if (verb === 'freeze') return [...OF_ALL, ...OF_CONTROLLERS, ...OF_FREEZES];
  // If the first record was refused until its controller ended, the hook may have frozen: it is thawed anyway.
  const mayBeRefused = troubles.has('refusals') || disturbances.isAny(0);
  const isUnknown = view?.hook.status?.resolved === undefined || view.lost.has(host);
  const isLost = (mayBeRefused && isUnknown) || views.isLostUnanswered(host, tag);
  return isLost ? OF_ALL : [...OF_ALL, ...OF_CONTROLLERS, ...OF_THAWS];
}

function findTarget({ hook }: HookView, { pod, container }: Command): ContainerStatus | undefined {
  return targetsIn(hook).find(
    ({ podName, containerName }) => podName === pod && containerName === container,
  );
}

/** Why a thaw lacks its recorded intent. It needs none if the server refuses the record or does not answer. */
function whyNoThawIntent(_: Court, { command, view, target }: Sent): string | null {
  const isRefused = view?.refused.has(command.host ?? '') === true;
  return isRefused ? null : whyNoIntent(target?.postActionStatus);
}

function whoLeads(court: Court, { command }: Sent): string | null {
  if (!hasReplicas(court)) return null;
  const [lease] = court.api.peek(leases);
  const spec = lease?.spec as { holderIdentity?: string } | undefined;
  const holder = spec?.holderIdentity ?? 'no process';
  return holder === command.host ? null : `${holder} leads`;
}

/** SNAP-I9: no other hook has frozen the application. */
function whoseFreeze(court: Court, { command }: Sent): string | null {
  const { application, tag, verb } = command;
  if (application === undefined || application.freeze === null) return null;
  if (isBeforeRestore(court, application.freeze.beganMs)) return null;
  const other = application.freeze.tag;
  // Each session has a lock of its own, so the end of one session does not affect another.
  const isOwnLock = verb === 'thaw' && application.is.lock === 'session';
  const { before, after } = othersOf(court, tag);
  // If a scene has a server, it runs in one pod, and all pods share it.
  const hasServer = court.scene.pods.some(({ server }) => server !== undefined);
  const isShared = hasServer && [...before, ...after].includes(other);
  return other === tag || isOwnLock || isShared || isNobodys(court, other)
    ? null
    : `${other} has frozen it`;
}

/** True if no controller will thaw for this hook: it has no thaw, or its thaw is marked as done (SNAP-R19). */
function isNobodys({ views, planOf }: Court, tag: string): boolean {
  const owner = views.ofTag(tag);
  return !planOf(tag).thaws || (owner !== undefined && isTakenOn(owner));
}

function whereStored(_: Court, { view }: Sent): string | null {
  return view === undefined ? 'no hook has stored such a command' : null;
}

/** SNAP-I10: the command is the one in the status. */
function whatIsStored(_: Court, { command, view }: Sent): string | null {
  const resolved = view?.hook.status?.resolved;
  if (resolved === undefined) return 'no actions are stored';
  const { verb, words } = command;
  const stored = verb === 'freeze' ? freezeOf(resolved) : thawOf(resolved);
  const isSame = stored === null || stored.join(' ') === words.join(' ');
  return isSame ? null : `what is stored is ${stored.join(' ')}`;
}

/** The freeze command in the status; null for a session, which sends a script that contains the freeze. */
function freezeOf({ preAction }: ResolvedActions): readonly string[] | null {
  return preAction.exec?.command ?? null;
}

function thawOf({ preAction, postAction }: ResolvedActions): readonly string[] {
  return postAction?.exec?.command ?? preAction.session?.thaw ?? [];
}

function whatHoldsIt(_: Court, { view }: Sent): string | null {
  const isHeld = view?.hook.metadata?.finalizers?.includes(HOOK_FINALIZER) === true;
  return isHeld && !view.isDeleted ? null : 'the finalizer is not there';
}

function whyNoIntent(status: ActionStatus | undefined): string | null {
  const last = status?.attempts?.at(-1);
  const isOpen = last !== undefined && last.outcome === undefined;
  return isOpen ? null : 'the intent is not in the status';
}

function whetherDecided(_: Court, { target }: Sent): string | null {
  const isDecided = target?.preActionStatus?.actionSucceed !== undefined;
  return isDecided ? 'its freeze is decided' : null;
}

/**
 * Why a thaw has no freeze to undo. A server that was restored from a backup may lack the record of an earlier freeze.
 */
function whetherFrozen(court: Court, { target, command }: Sent): string | null {
  const { tag, application } = command;
  const isMeant =
    target?.preActionStatus?.actionTimestamp !== undefined ||
    court.account.commands.some(
      (each) =>
        each.verb === 'freeze' &&
        each.tag === tag &&
        each.application === application &&
        isBeforeRestore(court, each.atMs),
    );
  return isMeant ? null : 'no freeze was meant there';
}

/** Judges only if no report can be lost with its controller. Thaws by session helpers are not judged. */
function whetherStarted(court: Court, { command }: Sent): string | null {
  const { troubles, account, planOf } = court;
  const mayBeLost = troubles.has('kills') || troubles.has('restores') || hasReplicas(court);
  if (mayBeLost || planOf(command.tag).held) return null;
  const { tag, pod, container } = command;
  const freezes = account.commands.filter(
    (each) =>
      each.verb === 'freeze' &&
      each.tag === tag &&
      each.pod === pod &&
      each.container === container,
  );
  return freezes.every(({ notStarted }) => notStarted) ? 'no freeze was started there' : null;
}

function whetherReplaced({ world }: Court, { command, target }: Sent): string | null {
  const { application } = command;
  if (application === undefined || application.is.podUid === target?.podUID) return null;
  const isKnown = world.elapsedMs - application.sinceMs > KNOWN_AFTER_MS;
  return isKnown ? 'another pod has come in its place' : null;
}

/**
 * What is unknown after a command that was sent. An idempotent action may be repeated (SNAP-G17). Any other may not: a
 * command may still run unseen.
 */
function whatIsUnknown(court: Court, { command }: Sent): string | null {
  const { actions, held } = court.planOf(command.tag);
  if (held || actions.preAction?.idempotent === true) return null;
  const unseen = court.account.commands.some(
    (each) =>
      each !== command &&
      !isBeforeRestore(court, each.atMs) &&
      each.verb === 'freeze' &&
      each.tag === command.tag &&
      each.application === command.application &&
      !each.isKnown,
  );
  return unseen ? 'the end of the previous one was not observed' : null;
}

/**
 * The circuit breaker: after a failed thaw, nothing more may freeze on the same node. A hook that had begun before
 * continues with its other containers; else its targets would be frozen for nothing.
 */
function whatIsOverdue({ views }: Court, { view, target }: Sent): string | null {
  const begunMs = view?.begunMs ?? Number.POSITIVE_INFINITY;
  for (const { name, hook, isDeleted, overdueMs } of views.all.values()) {
    const stuck = targetsIn(hook).find((other) => isOverdue(other) && !isDeleted);
    if (stuck === undefined || stuck.nodeName !== target?.nodeName) continue;
    if (overdueMs === null || begunMs > overdueMs) {
      return `the thaw of ${name} on the node is overdue`;
    }
  }
  return null;
}

function whoComesBefore(court: Court, { command }: Sent): string | null {
  const early = othersOf(court, command.tag).before.find(
    (tag) => court.views.ofTag(tag)?.hook.status?.preActionSucceed !== true,
  );
  return early === undefined ? null : `${early} has not frozen`;
}

/** Judges only seeds without faults. With faults, the order is only a preference (SNAP-I15). */
function whoComesAfter(court: Court, { command, view }: Sent): string | null {
  const isOrdered = view?.hook.status?.release?.cause === 'Cut' && court.troubles.size === 0;
  if (!isOrdered) return null;
  const { commands } = court.account;
  const late = othersOf(court, command.tag).after.find(
    (tag) =>
      court.planOf(tag).thaws && !commands.some((each) => each.tag === tag && each.verb === 'thaw'),
  );
  return late === undefined ? null : `${late} is still frozen`;
}
