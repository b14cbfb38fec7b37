/**
 * The register of the faults of one simulated life. Code that injects a fault asks here, at the place where
 * it would happen. A fault has an identity: its kind, its site, and how often that site asked before, or the moment.
 * A replay lets happen those that it is given and no others, with the dice that each of them had.
 *
 * What users do is asked for as well: a story then has as few of their acts as possible.
 */
import { Focus } from './focus.ts';
import type { Random } from './random.ts';

/** The current phases of the objects of the world: columns of the coverage table. */
export type PhasesOf = () => readonly string[];

/** One fault that happens in a replay. */
export interface KeptFault {
  readonly id: string;
  /** State of the dice for its parameters; '': none. */
  readonly dice: string;
}

/** A fault that happens now. */
export interface Strike extends KeptFault {
  readonly kind: string;
}

export interface FaultsOptions {
  /** The only faults that may happen; absent: the dice decide. */
  readonly only?: readonly KeptFault[];
  /** Called with each fault before it happens. */
  readonly onStrike?: (strike: Strike) => unknown;
  /** Called with each fault and the phases that it met. */
  readonly onMeeting?: (kind: string, phases: readonly string[]) => void;
  /** True: some seeds have a phase in which faults are likelier. */
  readonly mayFocus?: boolean;
  /** The phase in which they are likelier; absent: the seed chooses. */
  readonly focus?: string | undefined;
}

export class Faults {
  /** The lifecycle sets it. */
  phases: PhasesOf = () => [];
  /** Milliseconds since the start of the world, which sets it. */
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

  /** True: the dice do not decide, and only kept faults happen. */
  get isReplay(): boolean {
    return this.#only !== null;
  }

  /** Limits this seed to the chosen kinds among these; the dice of the others are thrown all the same. */
  choose(chosen: ReadonlySet<string>, kinds: readonly string[]): void {
    this.#absent = new Set(kinds.filter((kind) => !chosen.has(kind)));
  }

  /** Every other seed has one of these phases as its focus. */
  focusOn(phases: readonly [string, ...string[]], dice: Random): void {
    const { mayFocus = false, focus } = this.#options;
    if (this.isReplay || (focus === undefined && !mayFocus)) return;
    const phase = dice.chance(0.5) ? dice.pick(phases) : undefined;
    const chosen = focus ?? phase;
    if (chosen !== undefined) this.#focus = new Focus(chosen, dice);
  }

  /** True under `npm run sim`. A seed without it stays the same when new kinds of trouble are added. */
  get isWide(): boolean {
    return this.isReplay || this.isFocusGiven || this.#options.mayFocus === true;
  }

  /** True if the seed does not choose the focus. */
  get isFocusGiven(): boolean {
    return this.#options.focus !== undefined;
  }

  get hasFocus(): boolean {
    return this.#focus !== null;
  }

  /** True if the world may be led to this phase: in a replay it may, but only kept faults happen. */
  isFocusedOn(phase: string): boolean {
    return this.isReplay || this.#focus?.phase === phase;
  }

  /** Like `isFocusedOn`, but false if the focus is given: such seeds meet every trouble in their phase. */
  isSoughtIn(phase: string): boolean {
    return !this.isFocusGiven && this.isFocusedOn(phase);
  }

  /** True while the world is in the phase of the given focus. */
  get isInGivenFocus(): boolean {
    const { focus } = this.#options;
    return focus !== undefined && this.phases().includes(focus);
  }

  /** Whether a fault of this kind happens now because the world is in the phase of the focus. */
  isInFocus(kind: string, phases: PhasesOf = this.phases): boolean {
    return this.#focus?.hits(kind, phases) ?? false;
  }

  /** The listener is called whenever the world has changed. */
  onLook(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Call when the world has changed: another phase may have begun. */
  look(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Keep the result at a site that asks often. */
  of(kind: string, site: string = ''): Fault {
    const name = site === '' ? kind : `${kind} ${site}`;
    const known = this.#handles.get(name);
    if (known !== undefined) return known;
    const fault = new Fault(this, kind, name);
    this.#handles.set(name, fault);
    return fault;
  }

  /**
   * For a site that asks at every moment of activity. A fault is identified by its time, since other events change
   * the number of moments; a replay strikes at the first moment from that time on.
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

  /** Counts a fault whose kind is known only after its dice are thrown: it was asked for before under another name. */
  met(kind: string, phases: PhasesOf = this.phases): void {
    this.#options.onMeeting?.(kind, phases());
  }

  isChosen(kind: string): boolean {
    return !this.#absent.has(kind);
  }

  keptAs(id: string): KeptFault | undefined {
    return this.#only?.get(id);
  }

  /** Kept faults of this handle, by their moment. */
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

  /** A fault whose moment is chosen elsewhere. `dice` for its parameters, which are drawn after this. */
  strikes(dice: Random | null = null, phases?: PhasesOf): boolean {
    return this.decides(true, dice, phases);
  }

  /** A fault whose moment the dice choose. They are thrown in any case, and a probability of 0 never hits. */
  chance(dice: Random, probability: number, phases?: PhasesOf): boolean {
    const isThrown = dice.chance(probability);
    if (probability > 0) {
      const isDue = isThrown || this.faults.isInFocus(this.#kind, phases);
      return this.decides(isDue, dice, phases);
    }
    this.count();
    return false;
  }

  /** Like `chance`, with dice that are already thrown. Not called without faults. */
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

  /** If it is kept, the dice get their former state. */
  #isKept(dice: Random | null): boolean {
    const { kept } = this;
    if (kept === undefined) return false;
    if (kept.dice !== '') dice?.reset(kept.dice);
    return true;
  }
}

class MomentFault extends Fault {
  #atMs = -1;
  /** How often it was asked at this time before. */
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
