/**
 * The register of the faults of one seed. Code asks it at each place where a fault could happen. A fault is
 * identified by its kind, its site, and the number of earlier questions there (or the time). A replay allows only the
 * given faults, and each gets the same dice as before.
 *
 * Actions of users are asked for too, so that a shrunk story has as few of them as possible.
 */
import { Focus } from './focus.ts';
import type { Random } from './random.ts';

/** The current phases of the objects in the simulated world. They are columns of the coverage table. */
export type PhasesOf = () => readonly string[];

/** One fault that is to happen in a replay. */
export interface KeptFault {
  readonly id: string;
  /** State of the random number generator from which the fault draws its parameters; '' if it has none. */
  readonly dice: string;
}

/** A fault that happens now. */
export interface Strike extends KeptFault {
  readonly kind: string;
}

export interface FaultsOptions {
  /** The only faults that may happen; absent: random numbers decide about each fault. */
  readonly only?: readonly KeptFault[];
  /** Called with each fault before it happens. */
  readonly onStrike?: (strike: Strike) => unknown;
  /** Called with each fault and the phases that it met. */
  readonly onMeeting?: (kind: string, phases: readonly string[]) => void;
  /** If true, some seeds get a phase in which faults are more likely. */
  readonly mayFocus?: boolean;
  /** The phase in which faults are more likely; absent: the seed selects it, or none. */
  readonly focus?: string | undefined;
}

export class Faults {
  /** Set by the lifecycle's simulation. */
  phases: PhasesOf = () => [];
  /** Milliseconds since the start of the simulated world, which sets this function. */
  nowMs: () => number = () => 0;
  readonly #handles = new Map<string, Fault>();
  readonly #options: FaultsOptions;
  readonly #only: ReadonlyMap<string, KeptFault> | null;
  #absent: ReadonlySet<string> = new Set();
  #focus: Focus | null = null;
  readonly #listeners: (() => void)[] = [];

  constructor(options: FaultsOptions = {}) {
    const { only } = options;
    this.#options = options;
    this.#only = only === undefined ? null : new Map(only.map((kept) => [kept.id, kept]));
  }

  /** True if only kept faults happen, and no random number decides. */
  get isReplay(): boolean {
    return this.#only !== null;
  }

  /**
   * Excludes the faults of `kinds` that are not in `chosen`. The random numbers for excluded faults are drawn too, so
   * that later ones stay the same.
   */
  choose(chosen: ReadonlySet<string>, kinds: readonly string[]): void {
    this.#absent = new Set(kinds.filter((kind) => !chosen.has(kind)));
  }

  /** Selects one of these phases as the focus, in half of the seeds. */
  focusOn(phases: readonly [string, ...string[]], dice: Random): void {
    const { mayFocus = false, focus } = this.#options;
    if (this.isReplay || (focus === undefined && !mayFocus)) return;
    const phase = dice.chance(0.5) ? dice.pick(phases) : undefined;
    const chosen = focus ?? phase;
    if (chosen !== undefined) this.#focus = new Focus(chosen, dice);
  }

  /** True under `npm run sim` and in a replay. In vitest, a seed stays the same when kinds of trouble are added. */
  get isWide(): boolean {
    return this.isReplay || this.isFocusGiven || this.#options.mayFocus === true;
  }

  /** True if the focus comes from an option and not from the seed. */
  get isFocusGiven(): boolean {
    return this.#options.focus !== undefined;
  }

  get hasFocus(): boolean {
    return this.#focus !== null;
  }

  /** True if the world should be led to this phase. Always true in a replay, in which only kept faults happen. */
  isFocusedOn(phase: string): boolean {
    return this.isReplay || this.#focus?.phase === phase;
  }

  /** Like `isFocusedOn`, but false if the focus is given: seeds with a given focus meet every trouble in its phase. */
  isSoughtIn(phase: string): boolean {
    return !this.isFocusGiven && this.isFocusedOn(phase);
  }

  /** True while the world is in the phase of the given focus. */
  get isInGivenFocus(): boolean {
    const { focus } = this.#options;
    return focus !== undefined && this.phases().includes(focus);
  }

  /** True if the focus makes a fault of this kind happen now, because the world is in its phase. */
  isInFocus(kind: string, phases: PhasesOf = this.phases): boolean {
    return this.#focus?.hits(kind, phases) ?? false;
  }

  /** Adds a listener, which is called whenever the world may have changed. */
  onLook(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Call it when the world has changed, since another phase may have begun. */
  look(): void {
    for (const listener of this.#listeners) listener();
  }

  /** The handle of a kind of fault at a site. A site that asks often should keep it. */
  of(kind: string, site: string = ''): Fault {
    const name = site === '' ? kind : `${kind} ${site}`;
    const known = this.#handles.get(name);
    if (known !== undefined) return known;
    const fault = new Fault(this, kind, name);
    this.#handles.set(name, fault);
    return fault;
  }

  /**
   * The handle for a site that asks after every event. Such a fault is identified by its time, since other faults
   * change the number of events. A replay injects it at the first question from that time on.
   */
  ofMoments(kind: string, site: string): Fault {
    const name = `${kind} ${site}`;
    const known = this.#handles.get(name);
    if (known !== undefined) return known;
    const fault = new MomentFault(this, kind, name);
    this.#handles.set(name, fault);
    return fault;
  }

  /** Shorthand of `of(kind).strikes(dice)`. */
  strikes(kind: string, dice: Random | null = null): boolean {
    return this.of(kind).strikes(dice);
  }

  /** Counts an injected fault. Call it directly for a fault that was decided under another name. */
  met(kind: string, phases: PhasesOf = this.phases): void {
    this.#options.onMeeting?.(kind, phases());
  }

  isChosen(kind: string): boolean {
    return !this.#absent.has(kind);
  }

  keptAs(id: string): KeptFault | undefined {
    return this.#only?.get(id);
  }

  /** The kept faults of a handle, in the order in which they were given. */
  keptOf(name: string): readonly KeptFault[] {
    return [...(this.#only?.values() ?? [])].filter(({ id }) => id.startsWith(`${name} @`));
  }

  struck(kind: string, id: () => string, dice: Random | null): void {
    this.#options.onStrike?.({ kind, id: id(), dice: dice?.state ?? '' });
  }
}

/** One kind of fault at one site. */
export class Fault {
  protected readonly faults: Faults;
  protected readonly name: string;
  readonly #kind: string;
  #asked = 0;

  constructor(faults: Faults, kind: string, name: string) {
    this.faults = faults;
    this.name = name;
    this.#kind = kind;
  }

  /** Asks for a fault whose moment is already decided. Its parameters are drawn from `dice` afterwards. */
  strikes(dice: Random | null = null, phases?: PhasesOf): boolean {
    return this.decides(true, dice, phases);
  }

  /**
   * Decides at random whether the fault happens. Draws a random number even for probability 0, with which it never
   * happens.
   */
  chance(dice: Random, probability: number, phases?: PhasesOf): boolean {
    const isThrown = dice.chance(probability);
    if (probability > 0) {
      const isDue = isThrown || this.faults.isInFocus(this.#kind, phases);
      return this.decides(isDue, dice, phases);
    }
    this.count();
    return false;
  }

  /** Like `chance`, if the random number was drawn before. Do not call it after the faults have ended. */
  decides(isThrown: boolean, dice: Random | null, phases?: PhasesOf): boolean {
    this.count();
    const { faults } = this;
    if (!faults.isReplay) {
      if (!isThrown || !faults.isChosen(this.#kind)) return false;
    } else if (!this.#isKept(dice)) return false;
    faults.struck(this.#kind, () => this.id, dice);
    faults.met(this.#kind, phases);
    return true;
  }

  protected count(): void {
    this.#asked += 1;
  }

  protected get id(): string {
    return `${this.name} #${this.#asked}`;
  }

  protected get kept(): KeptFault | undefined {
    return this.faults.keptAs(this.id);
  }

  /**
   * True if the replay has this fault. Then the random number generator gets the state that it had in the recorded
   * seed.
   */
  #isKept(dice: Random | null): boolean {
    const { kept } = this;
    if (kept === undefined) return false;
    if (kept.dice !== '') dice?.reset(kept.dice);
    return true;
  }
}

class MomentFault extends Fault {
  #atMs = -1;
  /** Number of earlier questions at the same time. */
  #turn = 0;
  #pending: readonly (readonly [atMs: number, turn: number, kept: KeptFault])[] | null = null;

  protected override count(): void {
    const nowMs = this.faults.nowMs();
    this.#turn = nowMs === this.#atMs ? this.#turn + 1 : 0;
    this.#atMs = nowMs;
  }

  protected override get id(): string {
    return `${this.name} @${this.#atMs}/${this.#turn}`;
  }

  protected override get kept(): KeptFault | undefined {
    this.#pending ??= this.faults.keptOf(this.name).map((kept) => {
      const [atMs = 0, turn = 0] = (kept.id.split(' @')[1] ?? '').split('/').map(Number);
      return [atMs, turn, kept] as const;
    });
    const [first, ...others] = this.#pending;
    if (first === undefined) return undefined;
    const [atMs, turn, kept] = first;
    if (atMs > this.#atMs || (atMs === this.#atMs && turn > this.#turn)) return undefined;
    this.#pending = others;
    return kept;
  }
}
