import type { Faults } from '../faults.ts';
import type { Random } from '../random.ts';
import type { HookIdentity } from './account.ts';
import type { Scene } from './scene.ts';

/** How one hook pod ends. */
export type Fate =
  | {
      readonly kind: 'ends';
      readonly afterMs: number;
      readonly exitCode: number;
      readonly isDeaf: boolean;
    }
  /** The hook hangs until it is stopped, and then exits with `exitCode`. */
  | { readonly kind: 'hangs'; readonly exitCode: number; readonly isDeaf: boolean }
  | { readonly kind: 'noNode' }
  | { readonly kind: 'noImage' };

type Ending = Extract<Fate, { kind: 'ends' }>;

type Led = Pick<Scene, 'leadsTo' | 'strategy'>;

/** Decides the fate of each hook pod. The same attempt always has the same fate, whichever client creates its pod. */
export class Fates {
  readonly #random: Random;
  readonly #faults: Faults;
  readonly #scene: Led;
  /** True if the unusual fate of a hook was permitted, keyed by attempt. */
  readonly #happens = new Map<string, boolean>();

  constructor(random: Random, faults: Faults, scene: Led) {
    this.#random = random;
    this.#faults = faults;
    this.#scene = scene;
  }

  of({ number, stage, attempt }: HookIdentity, areFaulty: boolean): Fate {
    const name = `${number}-${stage}-${attempt}`;
    const thrown = throwFate(this.#random.fork(name), areFaulty);
    const { usual } = thrown;
    const fate = fateThatLeads(this.#scene, { number, stage }, usual) ?? thrown.fate;
    if (fate === usual) return fate;
    const happens =
      this.#happens.get(name) ??
      this.#faults.of(FAULTS[fate.kind], name).strikes(null, () => [stage]);
    this.#happens.set(name, happens);
    return happens ? fate : usual;
  }
}

/**
 * Fate by which hooks lead to the phase of the scene; null: random numbers decide. To reach mid or post, earlier hooks
 * succeed. To reach a rollback, the first rollout succeeds, and a hook of each later rollout aborts it.
 */
function fateThatLeads(
  { leadsTo, strategy }: Led,
  { number, stage }: Pick<HookIdentity, 'number' | 'stage'>,
  usual: Ending,
): Fate | null {
  if (leadsTo === 'draining' || leadsTo === 'mid') return stage === 'pre' ? usual : null;
  if (leadsTo === 'post') return stage === 'post' ? null : usual;
  if (leadsTo === undefined) return null;
  if (number === 1) return usual;
  const aborting = strategy === 'Recreate' ? 'post' : 'pre';
  return stage === aborting ? { ...usual, exitCode: 1 } : null;
}

const FAULTS: Readonly<Record<Fate['kind'], string>> = {
  ends: 'hook fails',
  hangs: 'hook hangs',
  noNode: 'hook has no node',
  noImage: 'hook has no image',
};

function throwFate(dice: Random, areFaulty: boolean): { fate: Fate; usual: Ending } {
  const afterMs = dice.between(100, 9_000);
  const isDeaf = dice.chance(0.3);
  const usual: Ending = { kind: 'ends', afterMs, exitCode: 0, isDeaf };
  const fails: Fate = { ...usual, exitCode: 1 };
  if (!areFaulty) return { usual, fate: dice.chance(0.1) ? fails : usual };
  const fate = dice.pick<Fate>([
    usual,
    usual,
    usual,
    fails,
    fails,
    { kind: 'hangs', exitCode: dice.pick([0, 143]), isDeaf },
    { kind: 'noNode' },
    { kind: 'noImage' },
  ]);
  return { usual, fate };
}
