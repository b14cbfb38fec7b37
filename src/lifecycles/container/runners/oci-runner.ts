/** The one interface behind which containers are made: by an OCI runtime, or as a plain process. */
import type { ProcessIdentity } from '../../../store/process-table.ts';
import type { Signal } from '../../../platform/platform.ts';
import type { Bundle } from '../config/bundle.ts';
import type { Container, RunnerChoice, SupervisorOrder } from '../life/container.ts';
import type { Life } from '../life/life.ts';
import { processRunner } from './process-runner.ts';
import { runtimeRunner } from './runtime-runner.ts';

export interface OciRunner {
  /** engine: all six points are ours to run. runtime: it runs what config.json holds. */
  readonly hooksBy: 'engine' | 'runtime';
  /** Whether the bundle can be run, and how. Throws a LifehookError where it cannot. */
  prepare(making: Making): Promise<SupervisorOrder>;
  /** Lets the waiting program begin. */
  start(container: Container): Promise<void>;
  /** Whether the program still waits for `start`. */
  isHeld(container: Container, process: ProcessIdentity): Promise<boolean>;
  kill(container: Container, process: ProcessIdentity, signal: Signal): Promise<void>;
  /** Removes whatever is left of it, alive or not. Something already gone is not an error. */
  destroy(container: Container, process: ProcessIdentity | null): Promise<void>;
}

export interface Making {
  readonly id: string;
  readonly bundle: Bundle;
  readonly rootfs: string;
  /** The container's own folder. */
  readonly folder: string;
  readonly stdio: SupervisorOrder['stdio'];
}

export function runnerOf(life: Life, choice: RunnerChoice): OciRunner {
  return choice.kind === 'process' ? processRunner(life) : runtimeRunner(life, choice);
}
