/** Chooses the snapshot class for a volume, and its cut signal. Pure. */
import {
  IS_DEFAULT_CLASS,
  IS_DEFAULT_GROUP_CLASS,
  type SnapshotClass,
} from '../../../kube/snapshots.ts';
import type { ApplicationSnapshotSpec, CutSignal } from '../kinds.ts';
import { CUT_SIGNAL } from '../names.ts';
import type { Failure } from './failure.ts';

export interface ClassFacts {
  readonly spec: ApplicationSnapshotSpec;
  /** Classes of the kind that fits the mode. */
  readonly classes: readonly SnapshotClass[];
  /** The CSI driver of the volume; absent: it is not a CSI volume, and any class may fit. */
  readonly driver?: string | undefined;
}

export interface ChosenClass {
  readonly name: string;
  readonly cutSignal: CutSignal;
}

export function chooseClass(facts: ClassFacts): ChosenClass | Failure {
  const found = findClass(facts);
  if ('reason' in found) return found;
  const cutSignal = signalOf(facts.spec, found);
  return typeof cutSignal === 'string'
    ? { name: found.metadata?.name ?? '', cutSignal }
    : cutSignal;
}

function findClass(facts: ClassFacts): SnapshotClass | Failure {
  const { spec } = facts;
  const name = isGroup(spec) ? spec.volumeGroupSnapshotClassName : spec.volumeSnapshotClassName;
  return name === undefined ? findDefault(facts) : findNamed(facts, name);
}

function findNamed({ spec, classes, driver }: ClassFacts, name: string): SnapshotClass | Failure {
  const what = `${kindOf(spec)} ${name}`;
  const named = classes.find(({ metadata }) => metadata?.name === name);
  if (named === undefined) return { reason: 'NoClass', message: `${what} does not exist` };
  if (driver === undefined || named.driver === driver) return named;
  const message = `${what} has driver ${named.driver}, but the volume has driver ${driver}`;
  return { reason: 'WrongDriver', message };
}

function findDefault({ spec, classes, driver }: ClassFacts): SnapshotClass | Failure {
  const mark = isGroup(spec) ? IS_DEFAULT_GROUP_CLASS : IS_DEFAULT_CLASS;
  const defaults = classes
    .filter((each) => driver === undefined || each.driver === driver)
    .filter(({ metadata }) => metadata?.annotations?.[mark] === 'true');
  const [only] = defaults;
  if (only !== undefined && defaults.length === 1) return only;
  const found = only === undefined ? 'none is' : `${defaults.length} are`;
  const which = driver === undefined ? '' : ` for driver ${driver}`;
  const message = `the snapshot names no ${kindOf(spec)}, so exactly one class${which} must be the default, but ${found}: name a class in the spec`;
  return { reason: only === undefined ? 'NoDefaultClass' : 'SeveralDefaultClasses', message };
}

function isGroup({ mode }: ApplicationSnapshotSpec): boolean {
  return mode === 'Group';
}

function kindOf(spec: ApplicationSnapshotSpec): string {
  return isGroup(spec) ? 'VolumeGroupSnapshotClass' : 'VolumeSnapshotClass';
}

function signalOf(
  { cutSignal }: ApplicationSnapshotSpec,
  { metadata }: SnapshotClass,
): CutSignal | Failure {
  if (cutSignal !== undefined) return cutSignal;
  const reported = metadata?.annotations?.[CUT_SIGNAL];
  if (reported === undefined || reported === 'creationTime') return 'creationTime';
  if (reported === 'readyToUse') return reported;
  const message = `annotation ${CUT_SIGNAL} of class ${metadata?.name ?? ''} must be "creationTime" or "readyToUse"; it is ${JSON.stringify(reported)}`;
  return { reason: 'WrongCutSignal', message };
}
