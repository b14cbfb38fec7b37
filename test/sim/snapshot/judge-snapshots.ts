/** Judges ApplicationSnapshots by what was really on the volumes: SNAP-I2, SNAP-I6, SNAP-I12. */
import { sameJson } from '../../../src/controller/same-json.ts';
import { resourceName } from '../../../src/kube/object.ts';
import { contents, groupSnapshots, snapshots } from '../../../src/kube/snapshots.ts';
import {
  type Verdict,
  type ApplicationSnapshot,
  applicationSnapshots,
  type ExecutionHook,
  executionHooks,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { VERDICT, VERDICT_EVIDENCE } from '../../../src/lifecycles/snapshot/names.ts';
import type { Entry, SimApi, Stored } from '../controller/sim-api.ts';
import type { Cut, Witness } from './account.ts';
import type { Application } from './application.ts';
import { type Court, isBeforeRestore, isThawForgotten, mayBeLate } from './judge.ts';
import { cutsOf } from './judge-parts.ts';
import type { SnapshotPlan } from './scene.ts';
import { isClaim } from './storage.ts';

const OVER: readonly string[] = ['Completed', 'Failed'];

type Status = NonNullable<ApplicationSnapshot['status']>;

export class SnapshotJudge {
  readonly #court: Court;
  readonly #before = new Map<string, ApplicationSnapshot>();
  /** Names of hooks that have ever frozen all their targets. */
  readonly #frozen = new Set<string>();
  /** UIDs of all VolumeSnapshots and VolumeGroupSnapshots that ever had a name, keyed by that name. */
  readonly #made = new Map<string, Set<string>>();

  constructor(court: Court) {
    this.#court = court;
    court.views.listen(({ name, hook }) => {
      if (hook.status?.preActionSucceed === true) this.#frozen.add(name);
    });
    court.api.onCommit((entry) => {
      this.#look(entry);
    });
    court.api.onRestore(() => {
      this.#restoreOlder(court.api);
    });
  }

  /** Takes the restored objects as the earlier ones: reports that the server has lost do not count. */
  #restoreOlder(api: SimApi): void {
    const all = api.peek(applicationSnapshots) as unknown as readonly ApplicationSnapshot[];
    this.#before.clear();
    for (const snapshot of all) this.#before.set(snapshot.metadata?.uid ?? '', snapshot);
    const hooks = api.peek(executionHooks) as unknown as readonly ExecutionHook[];
    this.#frozen.clear();
    for (const { metadata, status } of hooks) {
      if (status?.preActionSucceed === true) this.#frozen.add(metadata?.name ?? '');
    }
  }

  #look({ resource, type, object }: Entry): void {
    if (type === 'Delete') return;
    switch (resource) {
      case resourceName(applicationSnapshots):
        this.#judgeStatus(object as unknown as ApplicationSnapshot);
        return;
      case resourceName(snapshots):
      case resourceName(groupSnapshots):
        this.#judgeMaking(object);
        this.#judgeLabel(object);
        return;
      case resourceName(contents):
        this.#judgeLabel(object);
        return;
      default:
    }
  }

  #violate(invariant: string, name: string, why: string): void {
    this.#court.world.violate(invariant, `snapshot ${name}: ${why}`);
  }

  #judgeStatus(snapshot: ApplicationSnapshot): void {
    const { uid = '' } = snapshot.metadata ?? {};
    const before = this.#before.get(uid)?.status ?? {};
    const { status = {} } = snapshot;
    this.#before.set(uid, snapshot);
    this.#judgeConstancy(snapshot, before);
    this.#judgeNames(snapshot, before.executionHookNames);
    // The verdict of a window is the worst of its objects, which `judge-window-marks.ts` judges.
    if (snapshot.spec.window !== undefined) return;
    if (before.verdict !== undefined || status.verdict === undefined) return;
    this.#judgeVerdict(snapshot, status.verdict);
  }

  #judgeConstancy({ metadata, status = {} }: ApplicationSnapshot, before: Status): void {
    const { name = '' } = metadata ?? {};
    const { verdict, phase = '' } = before;
    if (verdict !== undefined && !sameJson(verdict, status.verdict)) {
      this.#violate('SNAP-I6', name, 'its verdict has changed');
    }
    const isOver = OVER.includes(phase);
    if (isOver && phase !== status.phase) this.#violate('SNAP-I6', name, 'it was over');
  }

  /** SNAP-R12: the names of the hooks never change. */
  #judgeNames(
    { metadata, status }: ApplicationSnapshot,
    before: Status['executionHookNames'],
  ): void {
    if (before === undefined || sameJson(before, status?.executionHookNames)) return;
    this.#violate('SNAP-I6', metadata?.name ?? '', 'the names of its hooks have changed');
  }

  /** SNAP-I12: a VolumeSnapshot is created once, after all hooks have frozen. */
  #judgeMaking({ metadata }: Stored): void {
    const { uid = '', name = '', ownerReferences = [] } = metadata;
    const owner = ownerReferences.find(({ kind }) => kind === applicationSnapshots.kind);
    const made = this.#made.get(name) ?? new Set();
    if (owner === undefined || made.has(uid)) return;
    this.#made.set(name, made.add(uid));
    if (made.size > 1 && !mayBeLate(this.#court, 0)) {
      this.#violate('SNAP-I12', owner.name, `${name} is created a second time`);
    }
    const missing = this.#hookNames(owner.uid).find((hook) => !this.#frozen.has(hook));
    if (missing === undefined) return;
    this.#violate('SNAP-I12', owner.name, `${name} is made, and ${missing} has not frozen`);
  }

  #hookNames(owner: string): readonly string[] {
    return this.#before.get(owner)?.status?.executionHookNames ?? [];
  }

  #judgeLabel({ metadata }: Stored): void {
    if (metadata.labels?.[VERDICT] !== 'ApplicationConsistent') return;
    const evidence = metadata.annotations?.[VERDICT_EVIDENCE] ?? '{}';
    const { uid = '' } = JSON.parse(evidence) as { uid?: string };
    const snapshot = this.#before.get(uid);
    if (snapshot !== undefined && snapshot.spec.window === undefined)
      this.#judgeConsistency(snapshot, `label of ${metadata.name ?? ''}`);
  }

  #judgeVerdict(snapshot: ApplicationSnapshot, { value, reason }: Verdict): void {
    const { name = '' } = snapshot.metadata ?? {};
    this.#court.world.note(`verdict on ${name}: ${value} (${reason})`);
    if (value === 'ApplicationConsistent') this.#judgeConsistency(snapshot, 'its verdict');
    if (value === 'CrashConsistent') this.#judgeCrashConsistency(snapshot);
    const plan = this.#planOf(name);
    if (plan === undefined || plan.hooks.length === 0 || !this.#isPlain(plan)) return;
    if (value === 'ApplicationConsistent') return;
    this.#violate('SNAP-I2', name, `no fault happened, and it is ${value}: ${reason}`);
  }

  #planOf(name: string): SnapshotPlan | undefined {
    return this.#court.scene.snapshots.find((plan) => plan.name === name);
  }

  /** True if nothing can prevent a consistent verdict. */
  #isPlain({ hooks, storage }: SnapshotPlan): boolean {
    const { troubles, scene, late } = this.#court;
    const mayEnd =
      storage === 'early' ||
      hooks.some(({ tag }) => late.has(tag)) ||
      hooks.some(({ actions, thaws }) => !thaws || (actions.expirationSeconds ?? 60) < 10);
    return troubles.size === 0 && scene.hooks.length === 0 && !mayEnd;
  }

  /** SNAP-I2: the volumes are really consistent. */
  #judgeConsistency(snapshot: ApplicationSnapshot, what: string): void {
    const { name = '' } = snapshot.metadata ?? {};
    const why = this.#whyInconsistent(snapshot, name);
    if (why !== null) this.#violate('SNAP-I2', name, `${what} says consistent, and ${why}`);
  }

  #whyInconsistent(snapshot: ApplicationSnapshot, name: string): string | null {
    const cuts = cutsOf(this.#court, snapshot.status);
    const volumes = snapshot.status?.volumes ?? [];
    const isCut = cuts.every(({ endedMs }) => Number.isFinite(endedMs));
    if (!isCut || cuts.length < volumes.length) return 'not all of it is cut';
    const tags = new Set((this.#planOf(name)?.hooks ?? []).map(({ tag }) => tag));
    const frozen = this.#frozenBy(tags);
    if (frozen.length === 0) return 'nothing was frozen';
    const whys = frozen
      .filter((application) => !isThawForgotten(this.#court, application, tags))
      .filter((application) => this.#isPart(application, cuts))
      .map((application) => whyNotConsistent(application, cuts));
    return whys.find((why) => why !== null) ?? null;
  }

  /** False if a user had deleted the application's claims before the snapshot was planned. */
  #isPart({ is }: Application, cuts: readonly Cut[]): boolean {
    const isCut = cuts.some(({ claim }) => is.claims.includes(claim));
    return isCut || is.claims.some((claim) => isClaim(this.#court.api, claim));
  }

  /** CrashConsistent: all volumes were cut at one moment, or nothing was written between the cuts. */
  #judgeCrashConsistency(snapshot: ApplicationSnapshot): void {
    const { name = '' } = snapshot.metadata ?? {};
    const cuts = cutsOf(this.#court, snapshot.status);
    if (snapshot.spec.mode === 'Group' || cuts.length < 2) return;
    const written = cuts.flatMap(({ witnesses }) =>
      witnesses.map(({ application, writtenAtBegin, writtenAtEnd }) => ({
        application,
        values: [writtenAtBegin, writtenAtEnd],
      })),
    );
    for (const { application, values } of written) {
      const others = written.filter((each) => each.application === application);
      if (new Set([...values, ...others.flatMap((each) => each.values)]).size > 1) {
        this.#violate(
          'SNAP-I2',
          name,
          `it is called crash-consistent, and ${application.name} wrote`,
        );
        return;
      }
    }
  }

  /** Applications to which a freeze of these hooks was sent. */
  #frozenBy(tags: ReadonlySet<string>): readonly Application[] {
    const sent = this.#court.account.commands.filter(
      ({ verb, tag }) => verb === 'freeze' && tags.has(tag),
    );
    // Freezes before a restore of the server count only if there are none after it.
    const since = sent.filter(({ atMs }) => !isBeforeRestore(this.#court, atMs));
    const counted = since.length > 0 ? since : sent;
    return [...new Set(counted.flatMap(({ application }) => application ?? []))];
  }
}

export function whyNotConsistent(application: Application, cuts: readonly Cut[]): string | null {
  const own = cuts.filter(({ claim }) => application.is.claims.includes(claim));
  const seen = own.map(({ witnesses }) =>
    witnesses.find((witness) => witness.application === application),
  );
  const freeze = seen[0]?.atBegin ?? null;
  if (freeze === null) return `${application.name} was not frozen at the cut`;
  const held = (witness: Witness | undefined): boolean =>
    witness?.atBegin === freeze && witness.atEnd === freeze;
  if (seen.every(held)) return null;
  return `${application.name} was not frozen through all of the cut`;
}
